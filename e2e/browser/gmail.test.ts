import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { followUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { senders } from '#contracts/senders/senders.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { gmailControl, gmailVisitor } from '#server/testing/gmail.ts'
import { untilPasses } from '#server/testing/until.ts'
import { accessibilityFaults, openPage, sidewaysScroll } from '../support/browser.ts'
import { browser } from '../support/chromium.ts'
import { home, t } from '../support/product.ts'

const EMAIL = `<!doctype html><html lang="en"><head><title>Spring</title></head><body><h1>Hello {{ name | default: "there" }}</h1>
<p><a href="https://example.org/workshop">The workshop</a></p></body></html>`
const ROWS =
  'E-mail\tFirst name\nr1@example.com\tPerson 1\nnobody\tX\nr2@example.com\tPerson 2\nR1@example.com\tPerson 1'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

async function expectFine(page: Page) {
  expect(await accessibilityFaults(page), page.url()).toEqual([])
  expect(await sidewaysScroll(page), page.url()).toBe(0)
}

/** Presses Connect, and submits Google's consent page. */
async function connect(page: Page, email: string, choice: 'Continue' | 'Deny') {
  await page.getByRole('button', { name: 'Connect account' }).first().click()
  await page.getByRole('button', { name: 'Continue to Google' }).click()
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: choice, exact: true }).click()
}

const next = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()

/** Connects ada@gmail.com: no first, then yes. Its limits are lifted. */
async function connectAfterDenial(page: Page) {
  await page.goto('/gmail-sender')
  await page.getByRole('heading', { name: 'No Gmail account connected' }).waitFor()
  await page.getByRole('link', { name: 'Connect Gmail' }).click()
  await connect(page, 'ada@gmail.com', 'Deny')
  await page.getByText('Access was denied on Google’s page, so nothing was connected.').waitFor()
  await connect(page, 'ada@gmail.com', 'Continue')
  await page.getByText('ada@gmail.com connected').waitFor()
  await page.getByText('0 of 50').waitFor()
  await expectFine(page)
  await gmailControl(t, { email: 'ada@gmail.com', perMinute: 100_000 })
  await t.services.db.updateTable('senders').set({ perMinute: null }).where('fromEmail', '=', 'ada@gmail.com').execute()
}

/** Goes through the wizard as far as the follow-ups: account, email, people, subject and a file. */
async function writeCampaign(page: Page) {
  await page.getByRole('link', { name: 'New campaign' }).first().click()
  // The only account is chosen already.
  await page.getByRole('heading', { name: 'Choose a template' }).waitFor()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'spring.html', mimeType: 'text/html', buffer: Buffer.from(EMAIL) })
  await page.getByRole('radio', { name: /spring/i }).waitFor()
  await next(page)
  await page.getByRole('radio', { name: /Paste rows/ }).check()
  await page.getByRole('button', { name: 'Paste rows instead' }).click()
  await page.getByLabel('Rows, starting with the column names').fill(ROWS)
  await page.getByRole('button', { name: 'Use these rows' }).click()
  await page.getByRole('button', { name: 'Use these recipients' }).click()
  await page.getByText('2 people from 4 rows of pasted-rows.csv. 1 row skipped. 1 row repeats an address').waitFor()
  await page.getByRole('table').getByText('the email address has no @').waitFor()
  await expectFine(page)
  await next(page)
  await page.getByLabel('Subject', { exact: true }).fill('Spring news for ')
  await page.getByRole('button', { name: 'Add variable' }).first().click()
  await page.getByRole('menuitem', { name: 'first_name' }).click()
  await untilPasses(async () =>
    expect(await page.getByLabel('Subject', { exact: true }).inputValue()).toBe('Spring news for {{ first_name }}'),
  )
  await page.getByLabel('Campaign name').fill('Spring')
  // By its path: 40 MB need not travel to the browser.
  const film = join(t.services.config.dataDir, 'film.pdf')
  writeFileSync(film, '')
  truncateSync(film, 40_000_000)
  await page.locator('input[type=file]').setInputFiles(film)
  await page.getByText(/film.pdf is 40 MB.*The file was not attached/).waitFor()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'program.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(1_000, 'x') })
  await page.getByRole('list', { name: 'Attached files' }).getByText('program.pdf').waitFor()
  await expectFine(page)
  await next(page)
}

/** Writes a follow-up, sends a test of it that says which it is, and removes it. Ends at the last step. */
async function tryFollowUp(page: Page) {
  await page.getByRole('button', { name: 'Add a follow-up' }).click()
  await page.getByRole('heading', { name: 'Follow-up 1' }).waitFor()
  await page.getByText('Write follow-up 1 or remove it to continue.').waitFor()
  const text = page.getByRole('textbox', { name: 'Text' })
  await text.fill('Hello {{ name }},\n\nshall I keep a seat for you?')
  // A press that leaves the text and adds another one at once stores both.
  await page.getByRole('button', { name: 'Add a follow-up' }).click()
  await page.getByRole('button', { name: 'Remove follow-up 2' }).click()
  await page.getByRole('heading', { name: 'Follow-up 2' }).waitFor({ state: 'detached' })
  expect(await text.inputValue()).toContain('shall I keep a seat for you?')
  // So does the browser's Back right after the last key.
  await text.fill('Hello {{ name }},\n\nshall I keep two seats for you?')
  await page.goBack()
  await page.getByRole('heading', { name: 'Follow-up 1' }).waitFor({ state: 'detached' })
  await page.goForward()
  await page.getByRole('heading', { name: 'Follow-up 1' }).waitFor()
  expect(await text.inputValue()).toContain('shall I keep two seats for you?')
  await expectFine(page)
  await next(page)
  // Office hours, unless one says otherwise.
  expect(await page.getByRole('radio', { name: /During set hours/ }).isChecked()).toBe(true)
  await page.getByRole('radio', { name: /At any time/ }).check()
  await next(page)

  // A test of the follow-up says which it is.
  await page.getByLabel('Test this step').selectOption('Follow-up 1')
  await page.getByLabel('Send yourself a test').fill('me@example.com')
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Follow-up 1 was sent to me@example.com, as r1@example.com reads it.').waitFor()
  await expectFine(page)
  await page.getByRole('button', { name: /Follow-ups/ }).click()
  // Until the server can be reached the page says so, also after another change, and the campaign cannot be sent.
  const warns = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  await untilPasses(async () => expect(await warns()).toBe(false))
  await page.route('**/follow-ups', (route) => route.abort())
  await page.getByRole('checkbox', { name: 'clicked a link' }).check()
  const unsaved = page.getByText('Your follow-ups are not saved yet.')
  await unsaved.waitFor()
  await page.getByRole('button', { name: 'Remove follow-up 1' }).click()
  await page.getByRole('heading', { name: 'Follow-up 1' }).waitFor({ state: 'detached' })
  expect(await unsaved.isVisible()).toBe(true)
  await next(page)
  await next(page)
  const send = page.getByRole('button', { name: 'Send to 2 people' })
  await send.waitFor()
  expect(await send.isDisabled()).toBe(true)
  expect(await warns()).toBe(true)
  await page.unroute('**/follow-ups')
}

/** Both have it once, with the file; one of them opens it and follows the link. */
async function expectEmails(workspaceId: string) {
  const { messages } = await gmailControl(t, { email: 'ada@gmail.com' })
  const [tried, ...mails] = await Promise.all(messages.map(({ raw }) => PostalMime.parse(raw)))
  expect(tried?.subject).toBe('[Test] Follow-up 1: Re: Spring news for Person 1')
  expect(tried?.html).toContain('<p>Hello Person 1,</p>')
  expect(mails.map(({ subject }) => subject).sort()).toEqual(['Spring news for Person 1', 'Spring news for Person 2'])
  expect(mails.map(({ attachments }) => attachments.map(({ filename }) => filename))).toEqual([
    ['program.pdf'],
    ['program.pdf'],
  ])
  const html = mails[0]?.html ?? ''
  const local = (form: RegExp) => `${t.address}${new URL(form.exec(html)?.[0] ?? '').pathname}`
  // Longer after sending than a scanner takes.
  await t.services.db
    .updateTable('messages')
    .set({ sentAt: new Date(Date.now() - 3_600_000) })
    .where('workspaceId', '=', workspaceId)
    .execute()
  await fetch(local(/http[^"]+\/t\/o\/[\w-]+/), { headers: { 'user-agent': CHROME } })
  await fetch(local(/http[^"]+\/t\/c\/[\w-]+/), { redirect: 'manual', headers: { 'user-agent': CHROME } })
}

/** Open rate and click rate, with the filter in the URL. */
async function expectRates(page: Page) {
  await page.goto('/gmail-analytics')
  await page.getByText('People opened 1 of 2 emails: 50%.').waitFor()
  await page.getByRole('link', { name: /r[12]@example.com/ }).waitFor()
  await page.getByRole('table', { name: 'Opens by day and hour' }).waitFor()
  await expectFine(page)
  await page.getByLabel('Period').selectOption('7')
  await page.waitForURL('**/gmail-analytics?days=7')
  await page.goto('/gmail-link')
  await page.getByText('People clicked 1 of 2 emails: 50%.').waitFor()
  await page.getByRole('list', { name: 'Links by emails' }).getByText('https://example.org/workshop').waitFor()
  await expectFine(page)
}

/** Compares both campaigns by their rates and by their counts. */
async function compareCampaigns(page: Page) {
  await page.goto('/gmail-analytics')
  const campaignRows = page.getByRole('table', { name: 'By campaign' })
  for (const name of [/Spring/, /Summer/]) await campaignRows.getByRole('row', { name }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Compare campaigns' }).click()
  const compared = page.getByRole('table', { name: 'Open rate compared' })
  await compared.getByRole('row', { name: /Spring .* 50%$/ }).waitFor()
  await compared.getByRole('row', { name: /Summer .* 0% - .* 0%$/ }).waitFor()
  await page.getByLabel('Measure').selectOption('Opens by people')
  await page.waitForURL(/gmail-analytics\?campaigns=\d+%2C\d+&measure=times$/)
  await page
    .getByRole('table', { name: 'Opens compared' })
    .getByRole('row', { name: /Spring .* 1$/ })
    .waitFor()
  await expectFine(page)
}

test('gmail: a connected account sends a campaign with a file, and opens and clicks are counted', async () => {
  const ada = await t.person({ plan: 'pro' })
  const page = await openPage(browser, home, { token: ada.token })

  await connectAfterDenial(page)
  await writeCampaign(page)
  await tryFollowUp(page)
  await page.getByRole('button', { name: 'Send to 2 people' }).click()
  await page.waitForURL('**/gmail-sender/campaigns/*')
  await page.getByText(/2 emails delivered/).waitFor({ timeout: 60_000 })

  await expectEmails(ada.workspaceId)
  await expectRates(page)
  const { id } = await draftTo(ada, await listWith(t.services, ada, 1, () => 'r3@example.com'), {
    ...{
      name: 'Summer',
      channel: 'gmail',
      senderIds: (await ada.api(senders.list, { query: {} })).items.filter((one) => one.gmail).map((one) => one.id),
    },
  })
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  await compareCampaigns(page)
  expect(page.complaints).toEqual([])
})

test('gmail: an account whose permission ended says so and leads to Google to reconnect', async () => {
  const eve = await t.person({ plan: 'pro' })
  const visitor = gmailVisitor(t, eve)
  const { connected } = await visitor.connect({ email: 'eve@gmail.com', testing: true })
  const page = await openPage(browser, home, { token: eve.token, viewport: { width: 375, height: 800 } })
  await page.goto('/gmail-sender/accounts')
  await page.getByText('This connection ends seven days after it was made.').waitFor()
  await expectFine(page)
  await t.services.db
    .updateTable('gmailAccounts')
    .set({ revokedAt: new Date() })
    .where('senderId', '=', connected ?? '')
    .execute()
  await page.reload()
  await page.getByText('Permission ended').waitFor()
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await page.getByRole('button', { name: 'Continue', exact: true }).waitFor()
  await page.goto('/gmail-sender/setup')
  await page.getByText(`${home}/api/gmail/callback`).waitFor()
  await expectFine(page)
  await page.goto('/gmail-analytics')
  await page.getByText('No Gmail emails sent yet').waitFor()
  await page.getByRole('link', { name: 'Click rate', exact: true }).click()
  await page.waitForURL('**/gmail-link')
  await expectFine(page)
  expect(page.complaints).toEqual([])
})

test('gmail: the report shows the follow-ups, when the next one is sent, and unknown figures as unknown', async () => {
  const grace = await t.person({ plan: 'pro' })
  const sender = await gmailVisitor(t, grace).account('grace@gmail.com')
  const { id } = await draftTo(grace, await listWith(t.services, grace, 3), {
    ...{ channel: 'gmail', senderIds: [sender], trackOpens: false, trackClicks: false },
  })
  const html = '<p>Still there? <a href="{{ unsubscribe_url }}">No more</a></p>'
  const step = { html, stopOnReply: true }
  const items = [
    { ...step, afterMinutes: 3 * 1_440 },
    { ...step, afterMinutes: 90 },
  ]
  await grace.api(followUps.save, { params: { id }, body: { items } })
  await grace.api(campaigns.send, { params: { id }, body: {} })
  await untilPasses(async () =>
    expect((await grace.api(followUps.list, { params: { id } })).items[0]?.counts.queued).toBe(3),
  )
  const page = await openPage(browser, home, { token: grace.token })
  await page.goto(`/gmail-sender/campaigns/${id}`)
  const table = page.getByRole('table', { name: 'Follow-ups' })
  const first = table.getByRole('row', { name: /Follow-up 1, after 3 days/ })
  await first.getByText('next ').waitFor()
  expect(await first.getByRole('cell').allInnerTexts()).toMatchObject(
    [/Follow-up 1/, '0', /^3\s+next /, '0', 'unknown', 'unknown', 'unknown'].map((one) =>
      typeof one === 'string' ? one : expect.stringMatching(one),
    ),
  )
  await table.getByRole('row', { name: /Follow-up 2, after 90 minutes/ }).waitFor()
  await page
    .getByText(/^Waiting for follow-ups\. The next one is sent about \d\d:\d\d on \w+, .*(time|UTC)\.$/)
    .waitFor()
  await page.getByText(/^The last follow-up is sent on \w+ at the latest/).waitFor()
  const overTime = page.getByRole('heading', { name: 'Opens and clicks over time' }).locator('xpath=ancestor::section')
  await overTime.getByText('Unknown because tracking was off.').waitFor()
  await expectFine(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await expectFine(page)
  expect(page.complaints).toEqual([])
})
