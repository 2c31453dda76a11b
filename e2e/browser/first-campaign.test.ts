import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { untilPasses } from '#server/testing/until.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { freePort, startServer } from '../support/server-process.ts'

const PEOPLE = `E-Mail;Name;Firma
anna@example.com;Anna Müller;Müller & Söhne
ben@example.com;"Ben ""Benny"" Okafor";Okafor Ltd
no address;Nobody;Nowhere
cleo@EXAMPLE.com;Cleo;=1+1
`
const EMAIL = `<!doctype html><html lang="en"><head><title>Spring news</title><style>h1 { color: #4338ca }</style></head><body>
<h1>Hello {{ name | default: "there" }}</h1><p>News for {{ attributes.firma }}.</p>
<p><a href="https://example.org/workshop">The workshop</a></p></body></html>`

type Sink = Awaited<ReturnType<typeof startMailSink>>

/** Presses so far: those in the page, and one for each that this test cannot make with a pointer. */
const others = { count: 0 }
const countPresses = async (page: Page) =>
  others.count + Number(await page.evaluate(() => localStorage.getItem('presses') ?? '0'))

/** Signs up, and confirms with the link of the email. */
async function signUp(page: Page, sink: Sink) {
  // A pressed label presses its control as well: what counts is the pointer. Typing goes into fields that are focused or tabbed to.
  await page.addInitScript(() => {
    if (globalThis.origin === 'null') return
    addEventListener(
      'pointerdown',
      () => localStorage.setItem('presses', String(1 + Number(localStorage.getItem('presses') ?? '0'))),
      true,
    )
  })
  await page.goto('/')
  await page.evaluate(() => localStorage.setItem('userConsent', 'accepted'))
  await page.goto('/signup')
  await page.getByLabel('Name').fill('Nora Newcomer')
  await page.getByLabel('Email').fill('nora@example.net')
  await page.getByLabel('Password', { exact: true }).fill('a sentence only nora knows')
  await page.getByRole('button', { name: 'Sign up' }).click()
  const confirmation = await sink.mailTo('nora@example.net')
  const link = new URL(/http\S+/.exec(confirmation.text ?? '')?.[0] ?? '')
  await page.goto(link.pathname + link.search)
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await page.waitForURL('**/dashboard')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
}

/** Goes through the wizard: sender, template, recipients in the shape a German spreadsheet saves them, subject. Sends. */
async function sendCampaign(page: Page) {
  // New campaign. The only sender is chosen already, so the wizard opens at its second step.
  others.count++
  await page.goto('/email-sender/new')
  await page.getByRole('heading', { name: 'Choose a template' }).waitFor()
  await page.getByRole('button', { name: /Authenticate.*done/s }).waitFor()
  await page.getByText('Choose a template to continue.').waitFor()

  // Upload template.
  others.count++
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'spring.html', mimeType: 'text/html', buffer: Buffer.from(EMAIL) })
  await page.getByRole('radio', { name: /Spring news|spring/ }).waitFor()
  await page.waitForURL('**/email-sender/new?id=*')
  await page.getByRole('button', { name: 'Continue' }).click()
  await untilPasses(async () =>
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Choose recipients'),
  )

  // Upload recipients, in the shape a German spreadsheet saves them.
  others.count++
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'kunden.csv', mimeType: 'text/csv', buffer: Buffer.from(PEOPLE, 'latin1') })
  await page.getByText(/windows-1252/i).waitFor()
  await page.getByRole('button', { name: 'Import contacts' }).click()
  await page.getByText(/^Import complete: 3 added/).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()

  // Create campaign.
  await page.getByLabel('Subject', { exact: true }).fill('Spring news for {{ name }}')
  expect(await page.getByLabel('Campaign name').inputValue()).toBe('Spring news')
  await page.getByLabel('Preview text').fill('For {{ first_name }} and everyone')
  await page.getByRole('region', { name: 'Inbox preview' }).getByText('For Robin and everyone').waitFor()
  await page.getByLabel('Reply-to address').fill('answers@example.net')
  await page.getByRole('button', { name: 'Continue' }).click()

  // Send; the draft survives a reload on the way.
  await page.getByRole('button', { name: 'Send to 3 people' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Send to 3 people' }).click()
  await page.waitForURL('**/mail-dash/*')
  await page.getByText(/3 emails accepted/).waitFor()
}

/** Anna reads her email and follows its link, a scanner looks at Ben's, Cleo's mailbox provider unsubscribes her. */
async function react(page: Page, sink: Sink, url: string) {
  const mail = await sink.mailTo('anna@example.com')
  expect(mail.subject).toBe('Spring news for Anna Müller')
  expect(mail.html).toContain('For Anna and everyone')
  expect(mail.replyTo).toMatchObject([{ address: 'answers@example.net' }])
  expect(mail.html).toContain('News for Müller &amp; Söhne')
  const [pixel] = mail.html?.match(/http[^"]+\/t\/o\/[\w-]+/) ?? []
  const [click] = mail.html?.match(/http[^"]+\/t\/c\/[\w-]+/) ?? []
  const local = (address: string | undefined) => `${url}${new URL(address ?? '').pathname}`

  // Anna reads it, in a browser a minute after it came; a scanner looked at Ben's.
  const humanAgent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  await page.waitForTimeout(1_500)
  await fetch(local(pixel), { headers: { 'user-agent': humanAgent } })
  const followed = await fetch(local(click), { redirect: 'manual', headers: { 'user-agent': humanAgent } })
  expect([followed.status, followed.headers.get('location')]).toEqual([302, 'https://example.org/workshop'])
  const ben = await sink.mailTo('ben@example.com')
  await fetch(local(ben.html?.match(/http[^"]+\/t\/o\/[\w-]+/)?.[0]), { headers: { 'user-agent': 'curl/8.5' } })

  // Cleo's mailbox provider unsubscribes her with one click.
  const cleo = await sink.waitFor((mail) => mail.to[0]?.toLowerCase() === 'cleo@example.com')
  const unsubscribe = /<(http[^>]+)>/.exec(
    cleo.headers.find((header) => header.key === 'list-unsubscribe')?.value ?? '',
  )?.[1]
  const response = await fetch(local(unsubscribe), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
    redirect: 'manual',
  })
  expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null])
}

/** Opens the people behind a link, saves them as a list, shares the report and takes the link back. */
async function followUpOn(page: Page) {
  await page.getByRole('list', { name: 'Links by people who clicked' }).getByRole('link').click()
  const recipients = page.getByRole('table', { name: 'Recipients' })
  await page.getByText('1 recipient', { exact: true }).waitFor()
  await recipients.getByText('anna@example.com').waitFor()
  await page.getByRole('button', { name: 'Save as list' }).click()
  expect(await page.getByLabel('List name').inputValue()).toBe('Clicked “The workshop”: Spring news')
  await page.getByRole('button', { name: 'Save list' }).click()
  await page.getByText('1 person saved to').waitFor()
  await page.getByRole('button', { name: 'View email' }).click()
  await page.frameLocator('iframe[title^="The email"]').getByTitle('People who clicked: 1').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const url = new URL(await page.getByLabel('Link', { exact: true }).inputValue())
  const shared = await (await page.request.get(url.pathname)).text()
  expect(shared).toContain('1 person opened, 1 clicked')
  expect(shared).not.toContain('anna@')
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Link revoked').waitFor()
  const gone = await page.request.get(url.pathname)
  expect([gone.status(), (await gone.text()).includes('This link no longer works')]).toEqual([404, true])
}

/** A draft that cannot be saved is not lost unasked, and one that can be is saved by leaving it. */
async function leaveDraft(page: Page) {
  let isReachable = false
  await page.route('**/api/campaigns', (route) =>
    isReachable || route.request().method() !== 'POST' ? route.fallback() : route.abort(),
  )
  await page.goto('/email-sender/new')
  await page.getByRole('radio', { name: /Spring news|spring/ }).check({ force: true })
  await page.getByText('Not saved.').waitFor()
  // Another step is no other page.
  await page.getByRole('button', { name: /Authenticate.*done/s }).click()
  await page.getByRole('heading', { name: 'Choose a sender' }).waitFor()
  // On a phone the reason stands below the bar, and covers nothing of it.
  await page.setViewportSize({ width: 375, height: 800 })
  await page.getByRole('alert').getByText('The server could not be reached.').waitFor()
  const exit = page.getByRole('link', { name: 'Exit to campaigns' })
  await exit.click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  isReachable = true
  await exit.click()
  await page.waitForURL('**/email-sender')
  await page.getByText('Draft', { exact: true }).first().waitFor()
}

test('first campaign: a new user signs up, imports contacts, sends a campaign and sees opens and clicks', async () => {
  const sink = await startMailSink()
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-newcomer-'))
  const port = String(await freePort())
  const server = startServer({ DATA_DIR: dataDir, PORT: port, SMTP_URL: sink.url })
  await using browser = await openBrowser()
  try {
    await server.ready
    const page = await openPage(browser, server.url)

    await signUp(page, sink)
    await sendCampaign(page)
    expect(await countPresses(page)).toBeLessThanOrEqual(10)
    await react(page, sink, server.url)
    await page.reload()
    await page.getByText(/1 person opened, 1 clicked/).waitFor()
    // Over SMTP no mailbox is read and no complaint reported: that is unknown, not 0.
    await page.getByRole('heading', { name: 'Delivery' }).click()
    for (const figure of ['Bounced after delivery', 'Spam complaints'])
      await page.locator('dl > div', { hasText: figure }).getByText('unknown').waitFor()
    await followUpOn(page)
    await leaveDraft(page)
    expect(page.complaints).toEqual([])
  } finally {
    await server.stop()
    await sink.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
})
