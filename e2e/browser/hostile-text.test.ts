import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import { collector } from '#contracts/collector/collector.ts'
import { domains } from '#contracts/senders/domains.ts'
import { sentCampaign } from '#server/features/tracking/testing.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { t } from '../support/product.ts'
import { watched } from '../support/watched-page.ts'

const world = await whatsAppWorld(t)

/** Ends an attribute, a script and a text, and sets a flag on the page if anything of it acts. */
const ATTACK = `'"></script><img src=x onerror=window.fired=1>`
/** What a stranger wrote into a field: the field's name tells which of them a page shows. */
const hostile = (field: string) => `${field}${ATTACK}`
const SCRIPT_URL = 'javascript:window.fired=1//'

type Watched = Awaited<ReturnType<typeof watched>>

/** What acted on the page: what fired, elements made of text, addresses that are neither of the web nor the app's. */
async function findHarm({ page, fired }: Watched) {
  const { elements, addresses } = await page.evaluate(() => ({
    elements: document.querySelectorAll('img[src="x"], [onerror]').length,
    addresses: [...document.querySelectorAll('a, area, form, iframe')]
      .flatMap((one) => ['href', 'action', 'src'].map((name) => one.getAttribute(name) ?? ''))
      .filter((address) => !/^(https?:|mailto:|tel:|[^:]*$|[/?#.])/i.test(address)),
  }))
  return { fired: await fired(), elements, addresses }
}
const NO_HARM = { fired: [], elements: 0, addresses: [] }

/** Opens a page and waits until it shows these fields as the text they are; nothing of it may have acted. */
async function showFields(on: Watched, path: string, fields: string[]): Promise<void> {
  await on.page.goto(path)
  await expectFields(on, path, fields)
}

async function expectFields(on: Watched, path: string, fields: string[]): Promise<void> {
  for (const field of fields) await on.page.getByText(hostile(field)).first().waitFor({ state: 'attached' })
  expect([path, await findHarm(on), on.page.complaints]).toEqual([path, NO_HARM, []])
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
    values (${workspaceId}, ${contactId}, now(), ${hostile('event')}, jsonb_build_object('item', ${hostile('property')}::text))`.execute(
    db,
  )
  await sql`insert into suppressions (workspace_id, address, address_key, reason, note)
    values (${workspaceId}, 'x@gone.example', 'x@gone.example', 'manual', ${hostile('note')})`.execute(db)
  await sql`insert into events (workspace_id, campaign_id, message_id, kind, link, user_agent, class)
    values (${workspaceId}, ${id}, ${message?.id}, 'click', 0, ${hostile('agent')}, 'human')`.execute(db)
  await sql`with made as (insert into tags (workspace_id, name) values (${workspaceId}, ${hostile('tag')}) returning id)
    insert into contact_tags (workspace_id, contact_id, tag_id) select ${workspaceId}, ${contactId}, id from made`.execute(
    db,
  )
  await sql`insert into contact_fields (workspace_id, name, label) values (${workspaceId}, 'company', ${hostile('label')})`.execute(
    db,
  )
  const file = await sql<{ id: string }>`
    insert into imports (workspace_id, list_id, file_name, file_path, mapping, state, total, error_count, finished_at)
    values (${workspaceId}, ${listId}, ${`${hostile('file')}.csv`}, 'gone', '{}', 'done', 1, 1, now()) returning id`.execute(
    db,
  )
  const importId = file.rows[0]?.id
  await sql`insert into import_errors (workspace_id, import_id, row, reason, line)
    values (${workspaceId}, ${importId}, 2, ${hostile('reason')}, ${hostile('cell')})`.execute(db)

  const on = await watched(t, ada.token)
  await showFields(on, '/contacts', ['person'])
  await showFields(on, `/contacts/${contactId}`, ['person', 'company', 'label', 'tag', 'evidence', 'event', 'property'])
  await showFields(on, '/contacts/tags', ['tag'])
  await showFields(on, '/contacts/fields', ['label'])
  await showFields(on, '/contacts/suppressions', ['note'])
  await showFields(on, `/contacts/imports/${importId}`, ['file', 'reason'])
  await showFields(on, `/mail-dash/${id}`, ['person'])
  await on.page.getByText(SCRIPT_URL).first().waitFor({ state: 'attached' })
  await on.page.getByText(hostile('person')).first().click()
  await expectFields(on, 'a recipient', ['response'])
  await on.page.keyboard.press('Control+k')
  await on.page.keyboard.insertText('person')
  await expectFields(on, 'the command palette', ['person'])
})

test('hostile text: what a crawled page says is text, and its address no script', async () => {
  const ada = await t.person({ plan: 'pro' })
  const { db } = t.services
  const { workspaceId } = ada
  const { id } = await ada.api(collector.create, { body: { kind: 'email', urls: ['https://firma.invalid/'] } })
  await sql`insert into crawl_results (workspace_id, job_id, value, source_url, page_title, context, method, confidence, person_name, organization)
    values (${workspaceId}, ${id}, 'info@a.example', ${`${SCRIPT_URL}${ATTACK}`}, ${hostile('title')}, ${hostile('context')}, 'text', 0.9,
      ${hostile('person')}, ${hostile('organization')})`.execute(db)
  const on = await watched(t, ada.token)
  await on.page.goto(`/email-scraper/${id}`)
  await on.page.getByRole('button', { name: 'info@a.example' }).first().click()
  await expectFields(on, 'a result', ['title', 'context'])
})

test('hostile text: what people write over WhatsApp is text in the inbox', async () => {
  const ada = await t.person({ plan: 'pro' })
  const { number } = await world.connect(ada)
  await world.says(number.phoneNumberId, '447911123457', hostile('words'), hostile('profile'))
  const on = await watched(t, ada.token)
  await showFields(on, '/whatsapp-sender/inbox', ['profile', 'words'])
  await on.page.getByText(hostile('profile')).first().click()
  await on.page.getByRole('region', { name: 'Messages' }).getByText(hostile('words')).waitFor()
  await expectFields(on, 'the conversation', ['profile', 'words'])
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
  const on = await watched(t, ada.token)
  await showFields(on, `/sending-domains/${id}/dmarc`, ['reporter', 'from'])
})

test('hostile text: what users call themselves is text to admins', async () => {
  const admin = await t.person({ role: 'admin' })
  const user = await t.person({ name: hostile('user') })
  await sql`insert into audit_log (action, actor, network, subject) values ('login_failed', ${hostile('actor')}, ${hostile('network')}, ${hostile('subject')})`.execute(
    t.services.db,
  )
  const on = await watched(t, admin.token)
  await showFields(on, `/admin/users?q=${encodeURIComponent(user.email)}`, ['user'])
  await showFields(on, '/admin/audit', ['actor'])
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
  const view = await watched(t)
  await view.page.goto(`/v/${tokens.sign('view', messageId)}`, { waitUntil: 'load' })
  await view.page.getByText('Words of the email').first().waitFor()
  // The browser complains of what the policy of the view refused.
  expect(await view.fired()).toEqual([])
  const everybody = await watched(t)
  await showFields(everybody, `/u/${tokens.sign('unsubscribe', messageId)}`, [])
  await showFields(everybody, `/p/${tokens.sign('preferences', messageId)}`, ['list'])
  await sql`insert into forms (workspace_id, name, slug, heading, description, list_ids)
    values (${ada.workspaceId}, 'Form', ${`f${id}`}, ${hostile('heading')}, ${hostile('description')}, ${`{${listId}}`})`.execute(
    db,
  )
  await showFields(everybody, `/f/f${id}`, ['heading', 'description'])
  const { token } = await ada.api(campaignReports.share, { params: { id }, body: {} })
  await everybody.page.goto(`/r/${token}`)
  await everybody.page.getByText(hostile('campaign')).first().waitFor({ state: 'attached' })
  // The email is beside its figures, in a frame of its own in which nothing may run: that is what is complained of.
  expect(await findHarm(everybody)).toEqual(NO_HARM)
})

test('hostile text: the HTML of a template runs nothing in the list of templates and in the editor', async () => {
  const ada = await t.person()
  const run = 'window.fired=top.fired=1'
  const html = `<html><body><p>Words of the template</p><script>${run}</script><img src="y" onerror="${run}" alt="">
    <svg onload="${run}"></svg><a href="javascript:${run}">A link</a></body></html>`
  const { rows } = await sql<{ id: string }>`insert into templates (workspace_id, name, subject, html)
    values (${ada.workspaceId}, ${hostile('template')}, ${hostile('subject')}, ${html}) returning id`.execute(
    t.services.db,
  )
  const on = await watched(t, ada.token)
  for (const path of ['/my-templates', `/editor/${rows[0]?.id}`]) {
    await on.page.goto(path)
    await on.page.frameLocator('iframe').getByText('Words of the template').first().waitFor({ state: 'attached' })
    expect([path, await findHarm(on)]).toEqual([path, NO_HARM])
  }
})

test('hostile text: what mail servers, banks and devices say is text', async () => {
  const ada = await t.person({ plan: 'pro' })
  const { workspaceId } = ada
  const { db } = t.services
  await sql`update senders set state = 'failing', state_text = ${hostile('greeting')} where workspace_id = ${workspaceId}`.execute(
    db,
  )
  await sql`update sessions set user_agent = ${hostile('agent')} where user_id = ${ada.id}`.execute(db)
  await sql`insert into bounce_sources (workspace_id, kind, name, secret_encrypted) values (${workspaceId}, 'ses', ${hostile('source')}, '')`.execute(
    db,
  )
  await sql`insert into invoices (id, workspace_id, number, status, total, currency, hosted_url, created_at)
    values (${`in_${workspaceId}`}, ${workspaceId}, ${hostile('invoice')}, 'paid', 1, 'usd', ${SCRIPT_URL}, now())`.execute(
    db,
  )
  const on = await watched(t, ada.token)
  await showFields(on, '/senders', ['greeting'])
  await showFields(on, '/bounce-sources', ['source'])
  await showFields(on, '/plan', ['invoice'])
  await on.page.goto('/account/security')
  await on.page.getByTitle(hostile('agent')).first().waitFor()
  await expectFields(on, 'the sessions', [])
})
