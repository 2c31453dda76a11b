import { expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { templates } from '#contracts/templates/templates.ts'
import { testApp } from '#server/testing/app.ts'
import { untilPasses } from '#server/testing/until.ts'
import { accessibilityFaults, openPage, screenFaults } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

const labels = [
  'Dashboard',
  'Email Sender',
  'WhatsApp Sender',
  'Gmail Sender',
  'Journeys',
  'Inbox',
  'Contacts',
  'Lists',
  'Tags',
  'Segments',
  'Forms',
  'Suppressions',
  'Templates',
  'Brand and images',
  'Email Scraper',
  'Number Scraper',
  'Gmail Open Rate',
  'Gmail Click Rate',
  'Account',
  'Subscription Plan',
]

test('shell: the sidebar lists its entries in order, and locked entries open the plans for free users', async () => {
  const free = await t.person({ plan: 'free', name: 'Ada Lovelace' })
  const page = await openPage(browser, t.address, { token: free.token })
  await page.goto('/dashboard')
  await page.getByText('Hello, Ada').waitFor()
  await page.getByText('Free User').first().waitFor()
  const tools = page.getByRole('navigation', { name: 'Tools' })
  expect(await tools.getByRole('link').allInnerTexts()).toEqual(labels)
  await page
    .getByRole('button', { name: /Ada Lovelace/ })
    .getByText('AL', { exact: true })
    .waitFor()

  const locked = tools.getByTitle('Upgrade to access')
  expect(await locked.allInnerTexts()).toEqual(['Gmail Sender', 'Email Scraper', 'Number Scraper'])
  await locked.first().click()
  await page.waitForURL('**/plan')
  for (const path of ['/gmail-sender', '/email-scraper', '/number-scraper']) {
    await page.goto(path)
    await page.waitForURL('**/plan')
  }

  const paid = await openPage(browser, t.address, { token: (await t.person({ plan: 'pro' })).token })
  await paid.goto('/gmail-sender')
  await paid.getByRole('heading', { name: 'No Gmail account connected' }).waitFor()
  await paid.getByText('Pro Plan').first().waitFor()
  expect(await paid.getByTitle('Upgrade to access').count()).toBe(0)
})

test('shell: a user without a name gets the badge "User", and a paid plan is capitalized', async () => {
  const { token } = await t.person({ plan: 'business' })
  const page = await openPage(browser, t.address, { token })
  await page.route('**/api/auth/user', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response: response, json: { ...(await response.json()), name: ' ' } })
  })
  await page.goto('/dashboard')
  const badge = page.getByRole('button', { name: 'User' })
  await badge.getByText('U', { exact: true }).waitFor()
  await badge.getByText('Business Plan', { exact: true }).waitFor()
})

test('shell: the logo opens the landing page, and only Subscription Plan has the gradient', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person()).token })
  await page.goto('/account')
  const gradients = await page
    .getByRole('navigation', { name: 'Tools' })
    .getByRole('link')
    .evaluateAll((links) =>
      links
        .filter((link) => getComputedStyle(link).backgroundImage.includes('gradient'))
        .map((link) => link.textContent),
    )
  expect(gradients).toEqual(['Subscription Plan'])
  await page.getByRole('link', { name: 'Postlark, home' }).click()
  await page.waitForURL(`${t.address}/`)
})

test("shell: a tool's pages share a title and tabs, groups stay folded, and old links to drafts open the wizard", async () => {
  const page = await openPage(browser, t.address, { token: (await t.person({ plan: 'pro' })).token })
  await page.goto('/dashboard')
  const tools = page.getByRole('navigation', { name: 'Tools' })
  const ways: [entry: string, tab: string, path: string][] = [
    ['WhatsApp Sender', 'Results', '/whatsapp-dash'],
    ['Gmail Sender', 'Accounts', '/gmail-sender/accounts'],
    ['Email Sender', 'Senders', '/senders'],
  ]
  for (const [entry, tab, path] of ways) {
    await tools.getByRole('link', { name: entry }).click()
    await page.getByRole('navigation', { name: entry }).getByRole('link', { name: tab, exact: true }).click()
    await page.waitForURL(`**${path}`)
    await page.getByRole('heading', { name: entry, level: 1 }).waitFor()
    expect(await tools.locator('[aria-current=page]').allInnerTexts()).toEqual([entry])
  }

  await tools.getByRole('button', { name: 'Audience' }).click()
  await page.reload()
  await tools.getByRole('link', { name: 'Email Sender' }).waitFor()
  await tools.getByRole('link', { name: 'Contacts' }).waitFor({ state: 'hidden' })
  await tools.getByRole('button', { name: 'Audience' }).click()
  await tools.getByRole('link', { name: 'Contacts' }).waitFor()

  await page.goto('/email-sender?step=template')
  await page.waitForURL('**/email-sender/new?step=template')
  await page.getByRole('link', { name: 'Exit to campaigns' }).click()
  await page.waitForURL('**/email-sender')
})

test('shell: the command palette finds contacts and pages by keyboard, and shortcuts are not for text fields', async () => {
  const person = await t.person()
  await person.api(contacts.create, { body: { email: 'lark@palette.example', name: 'Lara Lark' } })
  const page = await openPage(browser, t.address, { token: person.token })
  await page.goto('/account')
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const box = palette.getByRole('combobox', { name: 'Search or jump to…' })
  await box.fill('lara')
  await palette.getByRole('group', { name: 'Contacts' }).getByRole('option', { name: 'Lara Lark' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await box.press('Enter')
  await page.getByRole('main').getByText('lark@palette.example').first().waitFor()

  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await palette.getByRole('option', { name: 'Lara Lark' }).waitFor()
  await box.fill('sup')
  await palette.getByRole('option', { name: 'Suppressions' }).waitFor()
  await box.press('Enter')
  await page.waitForURL('**/contacts/suppressions')
  await untilPasses(async () => expect(await palette.count()).toBe(0))

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Search or run a command').waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await page.waitForURL('**/contacts')
  await page.getByRole('searchbox').fill('c?')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).click()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'Create' }).getByRole('option', { name: 'Template' }).click()
  await page.waitForURL('**/my-templates')
  await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor()
  expect(page.complaints).toEqual([])
})

test('shell: a spinner shows "Loading..." until the user is loaded', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person()).token })
  const held = Promise.withResolvers<void>()
  await page.route('**/api/auth/user', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/dashboard')
  await page.getByRole('status').getByText('Loading...', { exact: true }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0)
  held.resolve()
  await page.getByRole('heading', { name: 'Hello, Robin' }).waitFor()
  await untilPasses(async () => expect(await page.getByText('Loading...', { exact: true }).count()).toBe(0))
})

test('shell: in sandbox mode the pages say that nothing is sent, and finished steps are ticked', async () => {
  await using sandboxed = await testApp({ pages: 'built', environment: { SMTP_URL: undefined } })
  const person = await sandboxed.person({ role: 'admin' })
  const page = await openPage(browser, sandboxed.address, { token: person.token })
  await page.goto('/dashboard')
  await page.getByText('Sandbox mode: no real messages are sent').waitFor()
  await page.getByRole('link', { name: 'View sent messages' }).waitFor()
  await page.getByText('1 of 5 done').waitFor()
  await person.api(contacts.create, { body: { email: 'reader@example.com' } })
  await person.api(templates.create, { body: { name: 'News', html: '<p>News</p>' } })
  await page.reload()
  await page.getByText('3 of 5 done').waitFor()
})

test('shell: pages have no console errors, accessibility faults or sideways scrolling in any theme', {
  timeout: 600_000,
}, async () => {
  const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const { token } = await t.person({ plan: 'free', name })
  const open = await openPage(browser, t.address)
  const signedIn = await openPage(browser, t.address, { token })
  for (const path of ['/login', '/signup', '/pass-reset', '/reset-password', '/verify-email', '/no/such-page'])
    await look(open, path)
  for (const path of ['/dashboard?service=mailScraper', '/account', '/plan', '/whatsapp-dash'])
    await look(signedIn, path)

  async function look(page: typeof open, path: string) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect({ path, faults: await screenFaults(page) }).toEqual({ path, faults: [] })
  }
})

test('shell: the chosen theme is set before the first paint, and an unknown URL returns 404', async () => {
  const page = await openPage(browser, t.address, { colorScheme: 'light' })
  await page.goto('/')
  await page.getByRole('button', { name: 'Dark' }).click()
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return
      Object.assign(globalThis, { themeAtBody: document.documentElement.dataset.theme })
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  })
  const response = await page.goto('/home')
  expect(response?.status()).toBe(200)
  expect(await page.evaluate(() => (globalThis as { themeAtBody?: string }).themeAtBody)).toBe('dark')
  const missing = await page.goto('/no/such-page')
  expect(missing?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
})
