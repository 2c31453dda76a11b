import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { collector } from '#contracts/collector/collector.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { startSite } from '#server/crawler/testing.ts'
import { testApp } from '#server/testing/app.ts'
import { untilPasses } from '#server/testing/until.ts'
import { openPage } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'

const PAGES = 400
const people = Array.from({ length: PAGES }, (_, n) => [
  `/people/${n}`,
  `<!doctype html><title>Person ${n}</title><p>Write to person number ${n} at <a href="mailto:person${n}@bakery-test.de">person${n}@bakery-test.de</a>, any day.</p>
   <p>Ring 030 ${2_000_000 + n}.</p><a href="/people/${n + 1}">next</a>`,
])
const site = await startSite({
  '/robots.txt': 'User-agent: *\nDisallow: /private/',
  '/': `<!doctype html><title>Bakery</title><p>info@bakery-test.de, or Ida by <a href="mailto:ida.lindqvist@bakery-test.de">mail</a>. Ring 030 1234567 or +44 20 7946 0958.</p>
   ${Array.from({ length: PAGES / 20 }, (_, n) => `<a href="/people/${n * 20}">people</a>`).join(' ')} <a href="/private/contact">contact</a> <a href="/gone">gone</a>`,
  ...Object.fromEntries(people),
})
const t = await testApp({
  pages: 'built',
  // No server responds there: what mail servers say is unknown.
  environment: { COLLECTOR_ALLOW_PRIVATE: site.host, DNS_SERVERS: '127.0.0.1:9' },
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  site.close()
})

const rows = (page: Page) => page.getByRole('table').locator('[data-row-open]')
const readJobId = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

test('scraper: users on the free plan who open a scraper or a scrape are sent to the plans', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person({ plan: 'free' })).token })
  for (const path of ['/email-scraper', '/email-scraper/1', '/number-scraper', '/number-scraper/1']) {
    await page.goto(path)
    await page.waitForURL('**/plan')
  }
})

test('scraper: typed URLs and URLs of a file are counted, and invalid lines are shown', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person({ plan: 'pro' })).token })
  await page.goto('/email-scraper')
  await page.getByText('No scrapes yet').waitFor()
  await page.getByRole('button', { name: 'Collect addresses' }).click()
  await page.getByText('Enter at least one site or page.').waitFor()
  const box = page.getByLabel('Sites or pages')
  await box.fill('bakery.example, www.bakery.example/team\nour best customers\nhttps://bikes.example')
  await page.getByText('3 URLs on 2 sites').waitFor()
  await page.getByText('1 invalid line').waitFor()
  await page.getByText('“our best customers”').waitFor()
  await page.getByLabel('File with URLs').setInputFiles({
    name: 'sites.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,site\nQuay,quay.example\nBakery,https://bakery.example/\n'),
  })
  await page.getByText(/sites\.csv: 2 URLs\. Skipped: 4 cells/).waitFor()
  await page.getByText('4 URLs on 3 sites').waitFor()
  await page.getByRole('button', { name: 'Remove sites.csv' }).click()
  await page.getByText('3 URLs on 2 sites').waitFor()
  await page.getByText('More options').click()
  await page.getByLabel('Page limit').fill('60000')
  await page.getByRole('button', { name: 'Collect addresses from 2 sites' }).click()
  await page.getByText('Enter a limit from 1 to 50,000.').waitFor()
  expect(page.complaints).toEqual([])
})

test('scraper: a URL in a private network is refused with the reason, and the entries stay in the form', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person({ plan: 'pro' })).token })
  await page.goto('/email-scraper')
  await page.getByLabel('Sites or pages').fill('http://192.168.0.1/admin')
  await page.getByRole('button', { name: 'Collect addresses from 1 site' }).click()
  await page.getByText('This address isn’t public, so we can’t scan it.', { exact: true }).waitFor()
  expect(await page.getByLabel('Sites or pages').inputValue()).toBe('http://192.168.0.1/admin')
  await page.getByLabel('Sites or pages').fill(`http://192.168.0.1/admin ${site.url}/`)
  await page.getByRole('button', { name: 'Collect addresses from 2 sites' }).click()
  await page.getByText(/^1 URL could not be used\./).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
})

/** Starts a scrape of the bakery from the dashboard, and sees addresses come in, the newest on top. */
async function startScrape(page: Page) {
  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Tools' }).getByRole('link', { name: 'Email Scraper' }).click()
  await page.getByLabel('Sites or pages').fill(`${site.url}/`)
  await page.getByText('More options').click()
  await page.getByLabel('Page limit').fill('390')
  await page.getByLabel('Depth').fill('20')
  await page.getByRole('button', { name: 'Collect addresses from 1 site' }).click()
  await page.waitForURL(/\/email-scraper\/\d+$/)
  await page.getByText('Running', { exact: true }).waitFor()
  await rows(page).getByText('ida.lindqvist@bakery-test.de').waitFor()
  await page.waitForFunction(() => /^\d+ found · /.test(document.title))
  // They come while one looks on, the newest on top.
  await page.waitForFunction(() => document.querySelectorAll('tr[data-index]').length > 6)
}

/** Exports the one address that is shown, as CSV and as a workbook. */
async function exportBoth(page: Page) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const csv = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(csv).toHaveLength(2)
  expect(csv[1]).toMatch(/info@bakery-test\.de.*role/)
  const [book] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export XLSX' }).click(),
  ])
  expect(
    readFileSync(await book.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
}

/** Adds the one address to a list with a lawful basis, which its contact shows. */
async function addToList(page: Page) {
  await page.getByRole('button', { name: 'Add to list' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add 1 address' }).click()
  await dialog.getByText(/You can choose “I don’t know yet”/).waitFor()
  await dialog.getByLabel('List name').fill('Bakeries')
  await dialog.getByLabel('Legitimate interest').check()
  await dialog.getByLabel('Details').fill('We sell flour,\nthey bake.')
  await dialog.getByRole('button', { name: 'Add 1 address' }).click()
  await dialog.getByText('1 address added to the list').waitFor()
  await dialog.getByRole('link', { name: 'View list' }).click()
  await page.getByRole('table').getByText('info@bakery-test.de').waitFor()
  await page.getByRole('table').getByRole('link', { name: 'info@bakery-test.de' }).click()
  const found = page.getByRole('region', { name: 'Source' })
  await found.getByText('Lawful basis: legitimate interest').waitFor()
  await found.getByText('We sell flour, they bake.').waitFor()
}

test('scraper: by mouse, a scrape is started, paused, stopped, filtered, exported and added to a list', async () => {
  const person = await t.person({ plan: 'pro' })
  const page = await openPage(browser, t.address, { token: person.token })
  await startScrape(page)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Running', { exact: true }).waitFor()

  // While a row is ticked nothing moves; what comes is counted.
  await page.getByRole('row').nth(1).hover()
  await page.getByRole('checkbox', { name: 'Select this row' }).first().check()
  const first = await rows(page).first().textContent()
  const news = page.getByRole('button', { name: /^\d+ new$/ })
  await news.waitFor({ timeout: 60_000 })
  expect(await rows(page).first().textContent()).toBe(first)
  await news.click()
  await page.waitForFunction((old) => document.querySelector('[data-row-open]')?.textContent !== old, first)

  // It was heard of among the first, and its turn comes behind them.
  await page.getByRole('button', { name: /^Robots not allowed/ }).waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('dialog').getByText('A stopped scrape can’t be restarted').waitFor()
  await page.getByRole('button', { name: 'Stop scrape' }).click()
  await page.getByText('You stopped this scrape.').waitFor()
  await page.getByRole('button', { name: /^Robots not allowed/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /private\/contact/ })
    .waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Role addresses' }).click()
  await page.waitForURL(/role=role/)
  await rows(page).getByText('info@bakery-test.de').waitFor()
  await page.getByText('1 matching address').waitFor()
  await rows(page).first().click()
  const panel = page.getByRole('dialog')
  expect(await panel.locator('mark').textContent()).toBe('info@bakery-test.de')
  await panel.getByText('In the page text').waitFor()
  await panel.getByText('Unknown. No name server has responded yet.').waitFor()
  expect(await panel.getByRole('link').getAttribute('rel')).toBe('noopener noreferrer nofollow')
  await page.keyboard.press('Escape')

  await exportBoth(page)
  await addToList(page)
  const { items } = await person.api(contacts.list, { query: {} })
  expect(items).toMatchObject([{ email: 'info@bakery-test.de' }])
  expect(page.complaints).toEqual([])
})

test('scraper: by keyboard, phone numbers are found with the default country and added to a list', async () => {
  const person = await t.person({ plan: 'pro' })
  const page = await openPage(browser, t.address, { token: person.token })
  await page.goto('/number-scraper')
  await page.getByLabel('Sites or pages').focus()
  await page.keyboard.type(`${site.url}/`)
  const country = page.getByRole('combobox', { name: 'Default country' })
  for (let n = 0; n < 5 && !(await country.evaluate((e) => e === document.activeElement)); n++)
    await page.keyboard.press('Tab')
  await page.keyboard.type('germ')
  await page.getByRole('option', { name: 'Germany' }).waitFor()
  await page.keyboard.press('Enter')
  expect(await country.inputValue()).toBe('Germany')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByLabel('Page limit').fill('6')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/number-scraper\/\d+$/)
  await page.getByText('Done', { exact: true }).waitFor()
  await page.getByText('Page limit of 6 reached').waitFor()
  await page.getByRole('list', { name: 'By country' }).getByText('Germany').waitFor()
  await rows(page).getByText('+49 30 1234567').waitFor()
  const { items } = await person.api(collector.results, { params: { id: readJobId(page) }, query: { country: 'GB' } })
  expect(items).toMatchObject([{ value: '+442079460958', country: 'GB' }])

  await page.keyboard.press('/')
  await page.keyboard.type('1234567')
  await page.getByText('1 matching number').waitFor()
  await page.keyboard.press('Tab')
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('dialog').locator('mark').textContent()).toBe('030 1234567')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Add to list' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Public doesn’t mean opted in').waitFor()
  await dialog.getByLabel('I don’t know yet').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await dialog.getByText('1 number added to the list').waitFor()
  await page.keyboard.press('Escape')
  expect((await person.api(contacts.list, { query: {} })).items).toMatchObject([{ phone: '+49301234567', email: null }])
  expect(page.complaints).toEqual([])
})

test('scraper: a lost live connection is opened again, and a scrape of another workspace is not found', async () => {
  const person = await t.person({ plan: 'pro' })
  const { id } = await person.api(collector.create, {
    body: { kind: 'email', urls: [`${site.url}/`], maxPages: 390, maxDepth: 20 },
  })
  const page = await openPage(browser, t.address, { token: person.token })
  let refused = 0
  await page.route('**/live', (route) => (refused++ < 2 ? route.abort() : route.continue()))
  await page.goto(`/number-scraper/${id}`)
  await page.waitForURL(`**/email-scraper/${id}`)
  await untilPasses(async () => expect(refused).toBeGreaterThan(2))
  const before = (await person.api(collector.get, { params: { id } })).found
  await page.waitForFunction(
    (count) => Number(document.querySelector('table')?.getAttribute('aria-rowcount')) > count + 4,
    before,
    { timeout: 60_000 },
  )
  await person.api(collector.stop, { params: { id } })
  await page.getByText('Stopped', { exact: true }).first().waitFor()

  const stranger = await openPage(browser, t.address, { token: (await t.person({ plan: 'pro' })).token })
  await stranger.goto(`/email-scraper/${id}`)
  await stranger.getByText('The scrape could not be opened').waitFor()
})
