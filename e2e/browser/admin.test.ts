import { expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { admin } from '#contracts/admin/admin.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { untilPasses } from '#server/testing/until.ts'
import { openPage, screenFaults } from '../support/browser.ts'
import { browser } from '../support/chromium.ts'
import { t } from '../support/product.ts'

test('admin pages: an admin finds a user, changes the plan, suspends them and finds it in the audit log', async () => {
  const root = await t.person({ role: 'admin', name: 'Root Admin' })
  const ada = await t.person({ name: 'Ada Walkinshaw', email: 'ada@walk.example', plan: 'free' })
  await t.api(accounts.login, { body: { email: ada.email, password: ada.password } })
  await t.person({ name: 'Grace Hopper', email: 'grace@walk.example' })
  const page = await openPage(browser, t.address, { token: root.token })

  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Tools' }).getByRole('link', { name: 'Admin' }).click()
  await page.waitForURL('**/admin/users')
  await page.getByLabel('Search name or address').fill('walkinshaw')
  await page.getByText('1 user', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'ada@walk.example' }).click()

  const panel = page.getByRole('dialog', { name: 'Ada Walkinshaw' })
  await panel.getByText('Free', { exact: true }).first().waitFor()
  expect(await panel.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
  await panel.getByLabel('Plan', { exact: true }).selectOption('pro')
  await panel.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('ada@walk.example updated').waitFor()
  expect((await ada.api(accounts.user)).currentPlan).toBe('pro')

  await panel.getByRole('button', { name: 'Suspend', exact: true }).click()
  const ask = page.getByRole('dialog', { name: 'Suspend ada@walk.example?' })
  await ask.getByText('All sessions end immediately').waitFor()
  await ask.getByRole('button', { name: 'Suspend account' }).click()
  await panel.getByText('No active sessions.').waitFor()
  await panel.getByRole('button', { name: 'Reactivate account' }).waitFor()
  await expect(ada.api(accounts.user)).rejects.toMatchObject({ status: 401 })

  await panel.getByRole('link', { name: 'View audit log' }).click()
  await page.waitForURL(`**/admin/audit?user=${ada.id}`)
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  await rows.filter({ hasText: 'Plan changed free → pro' }).waitFor()
  expect(await rows.count()).toBe(4)
  await page.getByLabel('Action', { exact: true }).selectOption('suspended')
  await untilPasses(async () => expect(await rows.count()).toBe(2))
  await rows.getByRole('button', { name: 'Suspended' }).click()
  const line = page.getByRole('dialog', { name: 'Suspended' })
  await line.getByText('127.0.0.0/24').waitFor()
  await line.getByRole('link', { name: root.email }).waitFor()
  await page.keyboard.press('Escape')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^audit-.*\.csv$/)

  await page.goBack()
  await page.goBack()
  await panel.getByRole('button', { name: 'Reactivate account' }).click()
  await page.getByText('Account reactivated').waitFor()
  expect(page.complaints).toEqual([])
})

test('admin pages: an admin changes the plan of their own account, but not its role or suspension', async () => {
  const root = await t.person({ role: 'admin', name: 'Only Me' })
  const page = await openPage(browser, t.address, { token: root.token })
  await page.goto(`/admin/users?user=${root.id}`)
  const panel = page.getByRole('dialog', { name: 'Only Me' })
  await panel.getByText('This is you').waitFor()
  expect(await panel.getByLabel('Role', { exact: true }).isDisabled()).toBe(true)
  expect(await panel.getByRole('button', { name: 'Suspend' }).count()).toBe(0)
})

test('admin pages: a user is redirected to the home page, and a visitor to the login and back', async () => {
  const user = await t.person()
  const mine = await openPage(browser, t.address, { token: user.token })
  for (const path of ['/admin', '/admin/users', '/admin/health', '/admin/audit']) {
    await mine.goto(path)
    await mine.waitForURL(`${t.address}/`)
  }
  await mine.goto('/dashboard')
  const tools = mine.getByRole('navigation', { name: 'Tools' })
  await tools.getByRole('link', { name: 'Subscription Plan' }).waitFor()
  expect(await tools.getByRole('link', { name: 'Admin' }).count()).toBe(0)

  const root = await t.person({ role: 'admin' })
  const stranger = await openPage(browser, t.address)
  await stranger.goto('/admin/audit?action=logged_in')
  await stranger.waitForURL('**/login')
  await stranger.getByLabel('Email').fill(root.email)
  await stranger.getByRole('textbox', { name: 'Password' }).fill(root.password)
  await stranger.getByRole('button', { name: 'Log in' }).click()
  await stranger.waitForURL('**/admin/audit?action=logged_in')
  await stranger.getByRole('heading', { name: 'Admin', level: 1 }).waitFor()
  await stranger.goto('/admin')
  await stranger.waitForURL('**/admin/users')
})

test('admin pages: an admin who lost the role sees an error instead of the audit log', async () => {
  const root = await t.person({ role: 'admin' })
  const other = await t.person({ role: 'admin' })
  const page = await openPage(browser, t.address, { token: other.token })
  await page.goto('/admin/users')
  await page.getByRole('table', { name: 'Users' }).waitFor()
  await root.api(admin.changeUser, { params: { id: other.id }, body: { role: 'user' } })
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByText('The log could not be loaded').waitFor()
})

test('admin pages: the health page refreshes itself and says when the server stops responding', async () => {
  const root = await t.person({ role: 'admin' })
  const page = await openPage(browser, t.address, { token: root.token })
  await page.goto('/admin/health')
  await page.getByText(/^127\.0\.0\.1:\d+ responded in \d+ ms\.$/).waitFor()
  await page.getByText('Embedded PostgreSQL').waitFor()
  await page.waitForResponse((response) => response.url().endsWith(admin.health.path))
  await page.route('**/api/admin/health', (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByText(/no response; last known state \d+ s ago/).waitFor()
  await page.getByText('Embedded PostgreSQL').waitFor()
})

test('admin pages: long names cause no accessibility faults or sideways scrolling in any theme or width', {
  timeout: 600_000,
}, async () => {
  const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const email = `${'a'.repeat(60)}@${'long-'.repeat(10)}name.example`
  const root = await t.person({ role: 'admin' })
  const long = await t.person({ name, email })
  await root.api(admin.changeUser, { params: { id: long.id }, body: { suspended: true } })
  const pages = [
    '/admin/users',
    `/admin/users?user=${long.id}`,
    '/admin/users?q=nobody',
    '/admin/health',
    '/admin/audit',
  ]
  const page = await openPage(browser, t.address, { token: root.token })
  for (const path of pages) {
    await page.goto(path)
    await page.locator('table, dl, h2').first().waitFor()
    if (path.includes('user=')) await page.getByText('Suspended on').waitFor()
    expect([path, await screenFaults(page)]).toEqual([path, []])
  }
})

test('admin pages: two admins who demote each other at once on PostgreSQL leave exactly one admin', async () => {
  const postgres = await testDatabase({ isEmpty: true })
  try {
    const environment = {
      DATABASE_URL: postgres.url,
      ADMIN_EMAIL: 'first@example.com',
      ADMIN_PASSWORD: 'the first phrase',
    }
    await using own = await testApp({ environment })
    const keeper = await own.person({ role: 'admin' })
    const health = await keeper.api(admin.health)
    expect(health.lines.find((line) => line.name === 'Kind and size')?.text).toMatch(/^PostgreSQL \d/)
    expect(health.lines.filter((line) => line.state === 'bad')).toEqual([])
    const first = (await keeper.api(admin.users, { query: { q: 'first@' } })).items[0]
    await keeper.api(admin.changeUser, { params: { id: first?.id ?? '' }, body: { suspended: true } })
    for (let round = 0; round < 8; round++) {
      const rival = await own.person({ role: 'admin' })
      const both = await Promise.allSettled([
        keeper.api(admin.changeUser, { params: { id: rival.id }, body: { role: 'user' } }),
        rival.api(admin.changeUser, { params: { id: keeper.id }, body: { verified: false } }),
      ])
      const { rows } = await own.services.pool.query(
        "select id from users where role = 'admin' and suspended_at is null and email_verified_at is not null",
      )
      expect(rows).toHaveLength(1)
      expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
      if (rows[0].id === keeper.id) continue
      await rival.api(admin.changeUser, { params: { id: keeper.id }, body: { verified: true } })
      const { token } = await own.api(accounts.login, { body: { email: keeper.email, password: keeper.password } })
      keeper.api = own.createClient(token)
      await keeper.api(admin.changeUser, { params: { id: rival.id }, body: { role: 'user' } })
    }
  } finally {
    await postgres.drop()
  }
})
