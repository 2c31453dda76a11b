import { readFileSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { type Person, testApp } from '#server/testing/app.ts'
import { listWith } from '#server/testing/campaign.ts'
import { FIRST_ADMIN } from '#server/testing/database.ts'
import { openPage, screenFaults } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

type Tab = '' | '/security' | '/workspace' | '/data'

async function openAccountPage(person: Person, tab: Tab = '', options: Parameters<typeof openPage>[2] = {}) {
  const page = await openPage(browser, t.address, { token: person.token, ...options })
  await page.goto(`/account${tab}`)
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  return page
}

/** Somebody who came by Google: the session is a real one, only the password is missing. */
async function googlePerson() {
  const person = await t.person()
  await t.services.db
    .updateTable('users')
    .set({ passwordHash: null, authProvider: 'google' })
    .where('id', '=', person.id)
    .execute()
  return person
}

test('account page: name, time zone and postal address are saved, and pages show them', async () => {
  const person = await t.person()
  const page = await openAccountPage(person)
  await page.getByLabel('Name').fill('')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Name is required.').waitFor()
  await page.getByLabel('Name').fill('Grace Brewster Hopper')
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Profile saved').waitFor()
  await page.getByRole('button', { name: 'Grace Brewster Hopper' }).getByText('GH', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Workspace' }).click()
  await page.getByLabel('Company').fill('Lark & Sons')
  await page.getByLabel('Postal address').fill('1 Nest Road\n12345 Town')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Workspace saved').waitFor()
  const { id } = await person.api(contacts.create, { body: { email: 'ada@zone.example' } })
  const { createdAt } = await person.api(contacts.get, { params: { id } })
  await page.goto(`/contacts/${id}`)
  const time = { timeZone: 'Asia/Tokyo', hour: '2-digit', minute: '2-digit' } as const
  const added = page.getByRole('definition').filter({ hasText: new Date(createdAt).toLocaleTimeString('en-GB', time) })
  await added.first().waitFor()
  expect(await person.api(accounts.user)).toMatchObject({
    name: 'Grace Brewster Hopper',
    company: 'Lark & Sons',
    postalAddress: '1 Nest Road\n12345 Town',
    timeZone: 'Asia/Tokyo',
  })
})

test('account page: a new password ends the other sessions and keeps this one', async () => {
  const person = await t.person()
  const page = await openAccountPage(person, '/security')
  const { token } = await t.api(accounts.login, { body: { email: person.email, password: person.password } })
  await page.getByRole('textbox', { name: 'Current password' }).fill('not this one')
  await page.getByRole('textbox', { name: 'New password' }).fill('eleven larks at the lake')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Current password is incorrect.').waitFor()
  await page.getByRole('textbox', { name: 'Current password' }).fill(person.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed.').waitFor()
  await expect(t.createClient(token)(accounts.user)).rejects.toMatchObject({ status: 401 })
  await page.reload()
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
})

test('account page: sessions show their devices, and ending one or all logs those browsers out', async () => {
  const person = await t.person()
  const logIn = async (agent: string) => {
    const payload = { email: person.email, password: person.password }
    const headers = { 'user-agent': agent }
    return (await t.inject({ method: 'POST', url: '/api/auth/login', headers, payload })).json().token as string
  }
  const old = await logIn('Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0')
  const phone = await logIn(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  )
  const page = await openAccountPage(person, '/security')
  const sessions = page.getByRole('main').getByRole('listitem')
  await sessions.filter({ hasText: 'Safari on iOS' }).getByText('Last seen just now').waitFor()
  await page.getByRole('button', { name: 'End session, Firefox on Linux' }).click()
  await sessions.filter({ hasText: 'Firefox on Linux' }).waitFor({ state: 'detached' })
  await expect(t.createClient(old)(accounts.user)).rejects.toMatchObject({ status: 401 })

  const other = await openAccountPage({ ...person, token: phone }, '/data', { viewport: { width: 375, height: 740 } })
  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out everywhere' }).click()
  await page.waitForURL('**/login')
  expect(await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')])).toEqual([null, null])
  // The other browser learns of it with the next thing it asks for.
  await other.getByRole('button', { name: 'Download data' }).click()
  await other.waitForURL('**/login')
  expect(await other.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')])).toEqual([
    null,
    null,
  ])
})

test('account page: the data is downloaded as one archive, and no URL contains the token', async () => {
  const person = await t.person()
  await listWith(t.services, person, 1_500)
  const page = await openAccountPage(person, '/data')
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download data' }).click()
  const download = await coming
  await page.getByText('Download started.').waitFor()
  expect(download.suggestedFilename()).toMatch(/^postlark-\d{4}-\d\d-\d\d\.zip$/)
  const files = unzipSync(readFileSync(await download.path()))
  expect(JSON.parse(strFromU8(files['contacts.json'] ?? new Uint8Array()))).toHaveLength(1_500)
  expect([...addresses, download.url()].filter((url) => url.includes(person.token) || url.includes('?'))).toEqual([])
  expect(new URL(download.url()).pathname).toBe('/api/account/export/file')
  expect(page.complaints).toEqual([])
})

test('account page: deleting the account requires its email address and password, and ends the session', async () => {
  const person = await t.person()
  const page = await openAccountPage(person, '/data')
  const opener = page.getByRole('button', { name: 'Delete my account' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.textContent === 'Delete my account')

  await opener.click()
  const remove = dialog.getByRole('button', { name: 'Delete my account' })
  expect(await remove.isDisabled()).toBe(true)
  await dialog.getByLabel(`Type ${person.email} to confirm`).fill('somebody@example.com')
  expect(await remove.isDisabled()).toBe(true)
  await dialog.getByLabel(`Type ${person.email} to confirm`).fill(person.email)
  await dialog.getByRole('textbox', { name: 'Your password' }).fill('not this one')
  await page.keyboard.press('Enter')
  await dialog.getByText('Password is incorrect.').waitFor()
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Account deleted' }).waitFor()
  await page.getByRole('button', { name: 'Go to the home page' }).click()
  await page.waitForURL(`${t.address}/`)
  await page.getByRole('link', { name: 'Log in' }).first().waitFor()
  expect(await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')])).toEqual([null, null])
  await expect(
    t.api(accounts.login, { body: { email: person.email, password: person.password } }),
  ).rejects.toMatchObject({ status: 401 })
  expect(page.complaints).toEqual([])
})

test('account page: the last admin cannot delete their account and sees the reason', async () => {
  await using small = await testApp({ pages: 'built' })
  const { email, password } = FIRST_ADMIN
  const { token } = await small.api(accounts.login, { body: { email, password } })
  const page = await openPage(browser, small.address, { token })
  await page.goto('/account/data')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email)
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByRole('alert').getByText('This is the last admin who can sign in.').waitFor()
})

test('account page: a user who signed in with Google sets a password through an emailed link', async () => {
  const person = await googlePerson()
  const page = await openAccountPage(person, '/security')
  await page.getByText(`Logged in with Google as ${person.email}.`).waitFor()
  expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Email me a link to set a password' }).click()
  await page.getByRole('status').getByText(`We sent an email to ${person.email}.`).waitFor()
  const mail = await t.sink.mailTo(person.email)
  const link = new URL(mail.text?.match(/https?:\/\/\S+\/reset-password\?token=\S+/)?.[0] ?? 'no link')
  await page.goto(link.pathname + link.search)
  await page.getByRole('textbox', { name: 'New Password' }).fill('nine larks by the sea')
  await page.getByRole('textbox', { name: 'Confirm Password' }).fill('nine larks by the sea')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await page.waitForURL('**/login')
  const { token } = await t.api(accounts.login, { body: { email: person.email, password: 'nine larks by the sea' } })
  const again = await openAccountPage({ ...person, token }, '/security')
  await again.getByRole('button', { name: 'Change password' }).waitFor()
})

test('account page: a user without a password confirms the deletion with the email address alone', async () => {
  const person = await googlePerson()
  const page = await openAccountPage(person, '/data')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('textbox').count()).toBe(1)
  await dialog.getByRole('textbox').fill(person.email.toUpperCase())
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('dialog', { name: 'Account deleted' }).waitFor()
})

test('account page: the chosen theme is still set after a reload', async () => {
  const person = await t.person({ name: 'Ida Lark' })
  const page = await openAccountPage(person, '', { colorScheme: 'light' })
  await page.getByRole('button', { name: 'Ida Lark' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
})

test('account page: sessions that could not be loaded show an error and load on the second try', async () => {
  const person = await t.person()
  const page = await openPage(browser, t.address, { token: person.token })
  await page.route('**/api/account/sessions', (route) => route.fulfill({ status: 503, body: 'no' }))
  await page.goto('/account/security')
  await page.getByText('The sessions could not be loaded').waitFor()
  await page.unroute('**/api/account/sessions')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This session').waitFor()
})

test('account page: the page and its dialogs have no accessibility faults and do not scroll sideways', async () => {
  const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const person = await t.person({ name, email: `${'a'.repeat(60)}@${'long-name-of-a-domain.'.repeat(5)}example.com` })
  const page = await openAccountPage(person)
  const tabs: [tab: string, opener: string | undefined][] = [
    ['Profile', undefined],
    ['Workspace', undefined],
    ['Security', 'Log out everywhere'],
    ['Data', 'Delete my account'],
  ]
  for (const [tab, opener] of tabs) {
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: tab }).click()
    if (opener) await page.getByRole('button', { name: opener }).click()
    expect(await screenFaults(page)).toEqual([])
    if (opener) await page.keyboard.press('Escape')
  }
})
