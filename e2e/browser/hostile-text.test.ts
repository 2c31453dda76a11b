import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import { collector } from '#contracts/collector/collector.ts'
import { domains } from '#contracts/senders/domains.ts'
import { sentCampaign } from '#server/features/tracking/testing.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { openPage } from '../support/browser.ts'
import { browser } from '../support/chromium.ts'
import { t } from '../support/product.ts'

const world = await whatsAppWorld(t)

/** Ends an attribute, a script and a text, and sets a flag on the page if anything of it acts. */
const ATTACK = `'"></script><img src=x onerror=window.fired=1>`
/** What a stranger wrote into a field: the field's name tells which of them a page shows. */
const hostile = (field: string) => `${field}${ATTACK}`
const SCRIPT_URL = 'javascript:window.fired=1//'

/** What must hold of a page that shows what strangers wrote. */
async function findHarm(page: Page): Promise<unknown> {
  return page.evaluate(() => ({
    fired: (globalThis as { fired?: number }).fired ?? 0,
    elements: document.querySelectorAll('img[src="x"], [onerror]').length,
    addresses: [...document.querySelectorAll('a[href], form[action], iframe[src], area[href]')]
      .flatMap((one) => ['href', 'action', 'src'].map((name) => one.getAttribute(name) ?? ''))
      .filter((address) => /^\s*(javascript|data|vbscript):/i.test(address)),
  }))
}
const NO_HARM = { fired: 0, elements: 0, addresses: [] }

/** Opens a page, waits until it shows these fields as the text they are, and looks whether any of it acted. */
async function showFields(page: Page & { complaints: string[] }, path: string, fields: string[]): Promise<void> {
  await page.goto(path)
  await expectFields(page, path, fields)
}

async function expectFields(page: Page & { complaints: string[] }, path: string, fields: string[]): Promise<void> {
  for (const field of fields) await page.getByText(hostile(field)).first().waitFor({ state: 'attached' })
  expect([path, await findHarm(page), page.complaints]).toEqual([path, NO_HARM, []])
}

test('hostile text: what strangers write about contacts is text on every page that shows it', async () => {
  const ada = await t.person()
  const { db } = t.services
  const { workspaceId } = ada
  const { id, listId, messages } = await sentCampaign(t.services, ada, { people: 1 })
  const [message] = messages
  const contactId = message?.contactId ?? ''
  await sql`update contacts set name = ${hostile('person')}, attributes = jsonb_build_object('company', ${hostile('company')}::text) where id = ${contactId}`.execute(
    db,
  )
  await sql`update messages set state = 'bounced', reason = 'hard', bounced_at = now(), response = ${hostile('response')} where id = ${message?.id}`.execute(
    db,
  )
  await sql`update campaign_links set url = ${SCRIPT_URL} where campaign_id = ${id} and link = 0`.execute(db)
  await sql`insert into contact_origins (workspace_id, contact_id, source_url, basis, evidence, found_at)
    values (${workspaceId}, ${contactId}, ${`${SCRIPT_URL}${ATTACK}`}, 'consent', ${hostile('evidence')}, now())`.execute(
    db,
  )
  await sql`insert into contact_events (workspace_id, contact_id, at, name, properties)
    values (${workspaceId}, ${contactId}, now(), 'bought', jsonb_build_object('item', ${hostile('property')}::text))`.execute(
    db,
  )
  await sql`insert into suppressions (workspace_id, address, address_key, reason, note)
    values (${workspaceId}, 'x@gone.example', 'x@gone.example', 'manual', ${hostile('note')})`.execute(db)
  const file = await sql<{ id: string }>`
    insert into imports (workspace_id, list_id, file_name, file_path, mapping, state, total, error_count, finished_at)
    values (${workspaceId}, ${listId}, ${`${hostile('file')}.csv`}, 'gone', '{}', 'done', 1, 1, now()) returning id`.execute(
    db,
  )
  const importId = file.rows[0]?.id
  await sql`insert into import_errors (workspace_id, import_id, row, reason, line)
    values (${workspaceId}, ${importId}, 2, ${hostile('reason')}, ${hostile('cell')})`.execute(db)

  const page = await openPage(browser, t.address, { token: ada.token })
  await showFields(page, '/contacts', ['person'])
  await showFields(page, `/contacts/${contactId}`, ['person', 'company', 'property'])
  await showFields(page, '/contacts/suppressions', ['note'])
  await showFields(page, `/contacts/imports/${importId}`, ['file', 'reason'])
  await showFields(page, `/mail-dash/${id}`, ['person'])
  await page.getByText(hostile('person')).first().click()
  await expectFields(page, 'a recipient', ['response'])
  await page.keyboard.press('Control+k')
  await page.keyboard.insertText('person')
  await expectFields(page, 'the command palette', ['person'])
})

test('hostile text: what a crawled page says is text, and its address no script', async () => {
  const ada = await t.person({ plan: 'pro' })
  const { db } = t.services
  const { workspaceId } = ada
  const { id } = await ada.api(collector.create, { body: { kind: 'email', urls: ['https://firma.invalid/'] } })
  await sql`insert into crawl_results (workspace_id, job_id, value, source_url, page_title, context, method, confidence, person_name, organization)
    values (${workspaceId}, ${id}, 'info@a.example', ${`${SCRIPT_URL}${ATTACK}`}, ${hostile('title')}, ${hostile('context')}, 'text', 0.9,
      ${hostile('person')}, ${hostile('organization')})`.execute(db)
  const page = await openPage(browser, t.address, { token: ada.token })
  await page.goto(`/email-scraper/${id}`)
  await page.getByRole('button', { name: 'info@a.example' }).first().click()
  await expectFields(page, 'a result', ['title', 'context'])
})

test('hostile text: what people write over WhatsApp is text in the inbox', async () => {
  const ada = await t.person({ plan: 'pro' })
  const { number } = await world.connect(ada)
  await world.says(number.phoneNumberId, '447911123457', hostile('words'), hostile('profile'))
  const page = await openPage(browser, t.address, { token: ada.token })
  await showFields(page, '/whatsapp-sender/inbox', ['profile', 'words'])
  await page.getByText(hostile('profile')).first().click()
  await page.getByRole('region', { name: 'Messages' }).getByText(hostile('words')).waitFor()
  await expectFields(page, 'the conversation', ['profile', 'words'])
})

test('hostile text: what receivers report about a domain is text', async () => {
  const ada = await t.person()
  const { workspaceId } = ada
  const { id } = await ada.api(domains.create, { body: { domain: `w${workspaceId}.example` } })
  const { rows } = await sql<{ id: string }>`
    insert into dmarc_reports (workspace_id, domain_id, begins_at, ends_at, reporter, report_id, author)
    values (${workspaceId}, ${id}, now() - interval '1 day', now(), ${hostile('reporter')}, '1', 'a.example') returning id`.execute(
    t.services.db,
  )
  await sql`insert into dmarc_rows (workspace_id, report_id, header_from, source_ip, messages, spf_aligned, dkim_aligned, disposition, is_ours)
    values (${workspaceId}, ${rows[0]?.id}, ${hostile('from')}, '192.0.2.10', 7, false, false, 'reject', false)`.execute(
    t.services.db,
  )
  const page = await openPage(browser, t.address, { token: ada.token })
  await showFields(page, `/sending-domains/${id}/dmarc`, ['reporter', 'from'])
})

test('hostile text: what users call themselves is text to admins', async () => {
  const admin = await t.person({ role: 'admin' })
  const user = await t.person({ name: hostile('user') })
  await sql`insert into audit_log (action, actor, network, subject) values ('login_failed', ${hostile('actor')}, ${hostile('network')}, ${hostile('subject')})`.execute(
    t.services.db,
  )
  const page = await openPage(browser, t.address, { token: admin.token })
  await showFields(page, `/admin/users?q=${encodeURIComponent(user.email)}`, ['user'])
  await showFields(page, '/admin/audit', ['actor'])
})

test('hostile text: an email runs nothing in its web view, and names are text on pages for everybody', async () => {
  const ada = await t.person()
  const { db } = t.services
  const html = `<html><body><p>Hello {{ name }}</p><script>window.fired=1</script><img src="x" onerror="window.fired=1" alt="">
    <p><a href="https://example.com/a">Words of the email</a></p></body></html>`
  const { id, listId, messages, tokens } = await sentCampaign(t.services, ada, { people: 1, html })
  const messageId = messages[0]?.id ?? ''
  await sql`update contacts set name = ${hostile('person')} where workspace_id = ${ada.workspaceId}`.execute(db)
  await sql`update lists set name = ${hostile('list')}, is_public = true where id = ${listId}`.execute(db)
  await sql`update campaigns set name = ${hostile('campaign')} where id = ${id}`.execute(db)
  const page = await openPage(browser, t.address)
  await page.goto(`/v/${tokens.sign('view', messageId)}`, { waitUntil: 'load' })
  await page.getByText('Words of the email').first().waitFor()
  expect((await page.evaluate(() => (globalThis as { fired?: number }).fired)) ?? 0).toBe(0)
  page.complaints.length = 0
  const preferences = await openPage(browser, t.address)
  await showFields(preferences, `/u/${tokens.sign('unsubscribe', messageId)}`, [])
  await showFields(preferences, `/p/${tokens.sign('preferences', messageId)}`, ['list'])
  const { token } = await ada.api(campaignReports.share, { params: { id }, body: {} })
  await preferences.goto(`/r/${token}`)
  await preferences.getByText(hostile('campaign')).first().waitFor({ state: 'attached' })
  // The email is beside its figures, in a frame of its own in which nothing may run: that is what is complained of.
  expect(await findHarm(preferences)).toEqual(NO_HARM)
})
