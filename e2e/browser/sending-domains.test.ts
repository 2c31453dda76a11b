import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { sandbox } from '#contracts/sandbox/sandbox.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, testApp } from '#server/testing/app.ts'
import { draftTo, listWith } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'
import { accessibilityFaults, openBrowser, openPage, sidewaysScroll, untilStill } from '../support/browser.ts'
import { freePort } from '../support/server-process.ts'

let t: Awaited<ReturnType<typeof testApp>>
let browser: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  // Links lead to the server itself.
  const port = String(await freePort())
  const environment = { SMTP_URL: '', PORT: port, PUBLIC_URL: `http://localhost:${port}` }
  ;[t, browser] = await Promise.all([
    testApp({ environment, pages: 'built', intervals: { domainChecksMs: 500 } }),
    openBrowser(),
  ])
})
afterAll(async () => {
  await browser.close()
  await t[Symbol.asyncDispose]()
})

/** A receiver reported emails of a server about the only domain of a workspace. */
async function noteReport({ workspaceId }: Person, headerFrom: string): Promise<void> {
  const { db } = t.services
  const domain = await db
    .selectFrom('sendingDomains')
    .where('workspaceId', '=', workspaceId)
    .select('id')
    .executeTakeFirstOrThrow()
  const [endsAt, beginsAt] = [new Date(), new Date(Date.now() - 86_400_000)]
  const { id: reportId } = await db
    .insertInto('dmarcReports')
    .values({
      ...{ workspaceId, domainId: domain.id, beginsAt, endsAt },
      reporter: 'Receiver',
      reportId: '1',
      author: 'a.example',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const failed = { spfAligned: false, dkimAligned: false, disposition: 'reject', isOurs: false }
  await db
    .insertInto('dmarcRows')
    .values({ workspaceId, reportId, headerFrom, sourceIp: '192.0.2.10', messages: '7', ...failed })
    .execute()
}

test('sending domains: one is added, published in the sandbox, verified and explained at the sender, and links lead to it', async () => {
  const ada = await t.person()
  const [first] = (await ada.api(senders.list, { query: {} })).items
  await ada.api(senders.update, { params: { id: first?.id ?? '' }, body: { fromEmail: 'news@shop.example' } })
  const page = await openPage(browser, t.address, { token: ada.token, viewport: { width: 375, height: 800 } })
  await page.goto('/sending-domains')
  await page.getByRole('button', { name: 'Add domain' }).first().click()
  await page.getByRole('textbox', { name: 'Domain' }).fill('co.uk')
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  await page.getByText(/is a public suffix/).waitFor()
  await page.getByRole('textbox', { name: 'Domain' }).fill('Shop.Example')
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  await page.getByText('Sandbox: your real DNS is not asked').waitFor()
  await page.getByText('Not published yet. Emails are signed once it is.').waitFor()
  expect(await page.getByRole('button', { name: 'Copy value' }).count()).toBe(5)
  await page.getByRole('button', { name: 'Publish these records in the sandbox DNS' }).click()
  await page.getByText('Verified', { exact: true }).waitFor()
  await page.getByText('Published. Links of your emails use it.').waitFor()
  await page.getByRole('button', { name: 'Send and check' }).click()
  await page.getByText(/^The email passes /).waitFor()
  await page.getByText('Aligned by DKIM').waitFor()
  await untilStill(page)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  await noteReport(ada, 'a-long-name-of-a-subdomain-for-newsletters.shop.example')
  await page.getByRole('link', { name: /DMARC reports|Who sends/ }).click()
  await page.getByRole('heading', { name: 'Who sends as your domain' }).waitFor()
  const server = page.getByRole('table', { name: 'Servers that send as this domain' }).getByText('192.0.2.10')
  await server.waitFor()
  await page.getByText('7 failed').waitFor()
  expect(await sidewaysScroll(page)).toBe(0)
  await ada.api(senders.startRamp, { params: { id: first?.id ?? '' }, body: { days: 14 } })
  await page.goto('/senders')
  await page.getByRole('img', { name: 'From 50 emails on day 1 to 9,730 on day 14' }).waitFor()
  await page.getByText('Warm-up, day 1 of 14').waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('From address').fill('news@shop.example')
  await page.getByText('Emails are signed for shop.example').waitFor()
  const { id } = await draftTo(ada, await listWith(t.services, ada, 1))
  await ada.api(campaigns.send, { params: { id }, body: {} })
  const mail = await until(async () => {
    const { items } = await ada.api(sandbox.list, { query: {} })
    return items.find(({ to }) => to.includes('r1@example.com'))
  }, 'the email')
  const { html } = await ada.api(sandbox.get, { params: { id: mail.id } })
  const { host } = new URL(t.services.config.publicUrl.replace('//', '//links.shop.example.'))
  const [link = ''] = /http:[^"]+\/u\/[^"]+/.exec(html ?? '') ?? []
  expect(new URL(link).host).toBe(host)
  // What recipients call themselves is text.
  const hostile = '<img src="/x" alt="" onerror="document.title = 1">'
  await t.services.db.updateTable('contacts').set({ name: hostile }).where('email', '=', 'r1@example.com').execute()
  await page.goto(`/mail-dash/${id}`)
  await page.getByText(hostile).first().waitFor({ state: 'attached' })
  expect(await page.locator('img[src="/x"]').count()).toBe(0)
  const receiver = page.getByRole('table', { name: 'Receivers' }).getByRole('row', { name: /^example\.com 1/ })
  // No source tells of later bounces, nor of complaints.
  await receiver.getByRole('cell', { name: 'unknown' }).nth(1).waitFor()
  await page.goto(link)
  await page.getByRole('button', { name: 'Unsubscribe' }).waitFor()
  expect(page.complaints).toEqual([])
})

test('bounce sources: one is added, receives a signed event, says so and is deleted', async () => {
  const ada = await t.person()
  const page = await openPage(browser, t.address, { token: ada.token, viewport: { width: 375, height: 800 } })
  await page.goto('/bounce-sources')
  await page.getByRole('button', { name: 'Add bounce source' }).first().click()
  await page.getByRole('button', { name: 'Add source' }).click()
  await page.getByText(/Key is required: copy it from the settings of SendGrid/i).waitFor()
  await page.getByLabel('Service').selectOption({ label: 'Mailbox (IMAP)' })
  await page.getByRole('button', { name: 'Add source' }).click()
  await page.getByText('IMAP server is required').waitFor()
  await page.getByLabel('Service').selectOption({ label: 'Other service' })
  await page.getByRole('button', { name: 'Add source' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect' })
  await dialog.waitFor()
  const [url = '', secret = ''] = await dialog.locator('code').allTextContents()
  await untilStill(page)
  expect(await accessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Waiting', { exact: true }).waitFor()

  const body = JSON.stringify({ events: [] })
  const at = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-postlark-timestamp': at,
    'x-postlark-signature': `sha256=${signature}`,
  }
  const received = await fetch(new URL(new URL(url).pathname, t.address), { method: 'POST', headers, body })
  expect(await received.text()).toBe('{}')
  await page.reload()
  await page.getByText('Receiving', { exact: true }).waitFor()
  await untilStill(page)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)

  await page.getByRole('button', { name: 'Actions for Webhook' }).click()
  await page.getByRole('menuitem', { name: 'Delete source' }).click()
  await page.getByRole('button', { name: 'Delete source' }).click()
  await page.getByText('No bounce sources yet').waitFor()
  expect(page.complaints).toEqual([])
})
