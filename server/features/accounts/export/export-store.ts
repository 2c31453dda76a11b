/**
 * What an export holds. It reads other features' tables in its own way: page by page along an index, so that a million
 * contacts are never in memory and no transaction stays open for as long as a download takes. No column that holds a credential is named.
 */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import {
  ATTACHMENT,
  AUTOMATION,
  BLOCK,
  BOUNCE_SOURCE,
  BRAND,
  CHAT_MESSAGE,
  COLLECTION,
  CONFIRMATION,
  CONSENT,
  CONTACT,
  CONTACT_EDIT,
  CONTACT_EVENT,
  CONTACT_FIELD,
  CONTACT_JOB,
  CONTACT_MERGE,
  CONVERSATION,
  DKIM_KEY,
  DMARC_REPORT,
  DMARC_ROW,
  DOMAIN,
  FORM,
  IMAGE,
  IMPORT,
  JOURNEY,
  JOURNEY_PERSON,
  JOURNEY_STEP,
  LIST,
  LOOPBACK_CHECK,
  ORIGIN,
  PACE,
  PAGE_READ,
  PAUSE,
  PREFERENCE_CHANGE,
  RESULT,
  SAVED_REPLY,
  SENDER,
  SHARE,
  TEMPLATE,
  TEMPLATE_VERSION,
  WEBHOOK_EVENT,
  WHATSAPP_NUMBER,
  WHATSAPP_TEMPLATE,
} from './export-columns.ts'
import { campaigns, events, gmailMessages, messages } from './export-messages.ts'
import { along, byId, type ExportRow, HEAVY, listIds, PAGE, type Pages } from './export-pages.ts'

async function* members(db: Db, workspaceId: string): Pages {
  for (const listId of await listIds(db, workspaceId, 'lists'))
    yield* along<ExportRow & { contactId: string }>(
      PAGE,
      (last, size) => sql`select list_id, contact_id, status, at, import_id from list_members
        where workspace_id = ${workspaceId} and list_id = ${listId} and contact_id > ${last?.contactId ?? '0'} order by contact_id limit ${size}`,
      db,
    )
}

const tagged = (db: Db, workspaceId: string): Pages =>
  along<ExportRow & { tagId: string; contactId: string }>(
    PAGE,
    (last, size) => sql`select tag_id, contact_id from contact_tags
      where workspace_id = ${workspaceId} and (tag_id, contact_id) > (${last?.tagId ?? '0'}, ${last?.contactId ?? '0'})
      order by tag_id, contact_id limit ${size}`,
    db,
  )

const tagClicks = (db: Db, workspaceId: string): Pages =>
  along<ExportRow & { campaignId: string; contactId: string; tagId: string }>(
    PAGE,
    (last, size) => sql`select campaign_id, contact_id, tag_id, url, at from tag_clicks
      where workspace_id = ${workspaceId}
        and (campaign_id, contact_id, tag_id) > (${last?.campaignId ?? '0'}, ${last?.contactId ?? '0'}, ${last?.tagId ?? '0'})
      order by campaign_id, contact_id, tag_id limit ${size}`,
    db,
  )

function suppressions(db: Db, workspaceId: string): Pages {
  return along<ExportRow & { channel: string; addressKey: string }>(
    PAGE,
    (last, size) => sql`select channel, address, address_key, reason, note, campaign_id, at from suppressions
      where workspace_id = ${workspaceId} and (channel, address_key) > (${last?.channel ?? ''}, ${last?.addressKey ?? ''})
      order by channel, address_key limit ${size}`,
    db,
  )
}

/** What is known of people who were erased, or removed after they left a list: hashes alone. */
function marks(
  db: Db,
  workspaceId: string,
  table: 'erased_addresses' | 'left_lists',
  named: 'suppression' | 'list_id',
) {
  return along<ExportRow & { place: string }>(
    PAGE,
    (
      last,
      size,
    ) => sql`select * from (select encode(address_hash, 'hex') || ' ' || ${table === 'left_lists' ? sql`list_id` : sql`channel`} as place,
        ${sql.ref(named)}, at from ${sql.table(table)} where workspace_id = ${workspaceId}) as m
      where place > ${last?.place ?? ''} order by place limit ${size}`,
    db,
  )
}

async function* importErrors(db: Db, workspaceId: string): Pages {
  for (const importId of await listIds(db, workspaceId, 'imports'))
    yield* along<ExportRow & { row: string }>(
      PAGE,
      (last, size) => sql`select import_id, row, reason, line from import_errors
        where workspace_id = ${workspaceId} and import_id = ${importId} and row > ${last?.row ?? '-1'} order by row limit ${size}`,
      db,
    )
}

/** A table of crawl jobs, job by job, as it is indexed. */
async function* collected(db: Db, workspaceId: string, table: string, columns: string[]): Pages {
  const named = sql.join(columns.map((column) => sql.ref(column)))
  for (const jobId of await listIds(db, workspaceId, 'crawlJobs'))
    yield* along<ExportRow & { id: string }>(
      PAGE,
      (last, size) => sql`select ${named} from ${sql.table(table)}
        where workspace_id = ${workspaceId} and job_id = ${jobId} and id > ${last?.id ?? '0'} order by id limit ${size}`,
      db,
    )
}

const told = (db: Db, workspaceId: string): Pages =>
  along<ExportRow & { contactId: string; campaignId: string }>(
    PAGE,
    (last, size) => sql`select contact_id, campaign_id from told_origins
      where workspace_id = ${workspaceId} and (contact_id, campaign_id) > (${last?.contactId ?? '0'}, ${last?.campaignId ?? '0'})
      order by contact_id, campaign_id limit ${size}`,
    db,
  )

/** What the log says of the user: others who are in it are not named. */
const log = (db: Db, userId: string): Pages =>
  along<ExportRow & { id: string }>(
    PAGE,
    (last, size) => sql`select id, at, action, coalesce(actor_id = ${userId}, false) as by_you,
        case when actor_id = ${userId} then network else '' end as network, details
      from audit_log where (actor_id = ${userId} or subject_id = ${userId}) and id > ${last?.id ?? '0'} order by id limit ${size}`,
    db,
  )

async function* gmailAccounts(db: Db, workspaceId: string): Pages {
  const { rows } =
    await sql<ExportRow>`select sender_id, access, subject, account, own_client, scopes, refresh_until, revoked_at,
    connected_at from gmail_accounts where workspace_id = ${workspaceId} order by sender_id`.execute(db)
  yield rows
}

/** A table of which a workspace has a few rows. */
async function* few(db: Db, workspaceId: string, table: string, columns: string[]): Pages {
  const named = sql.join(columns.map((column) => sql.ref(column)))
  const { rows } =
    await sql<ExportRow>`select ${named} from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(db)
  if (rows.length > 0) yield rows
}

/** What was paid and is paid for, and what was used of the limits: a few rows each. */
async function* billing(db: Db, workspaceId: string): Pages {
  const { rows } = await sql<ExportRow>`
    select 'subscription' as kind, to_jsonb(s) - 'workspace_id' as content from subscriptions s where workspace_id = ${workspaceId}
    union all select 'plan set by hand', to_jsonb(g) - 'workspace_id' from plan_grants g where workspace_id = ${workspaceId}
    union all select 'checkout', to_jsonb(c) - 'workspace_id' - 'url' from checkouts c where workspace_id = ${workspaceId}
    union all select 'coupon use', to_jsonb(u) - 'workspace_id' from coupon_uses u where workspace_id = ${workspaceId}
    union all select 'invoice', to_jsonb(i) - 'workspace_id' from invoices i where workspace_id = ${workspaceId}
    union all select 'reversal', to_jsonb(r) - 'workspace_id' from payment_reversals r where workspace_id = ${workspaceId}
    union all select 'month', to_jsonb(m) - 'workspace_id' from usage_months m where workspace_id = ${workspaceId}`.execute(
    db,
  )
  if (rows.length > 0) yield rows
}

/** Who the user is at outside issuers. */
export const listIdentities = (db: Db, userId: string) =>
  db.selectFrom('identities').where('userId', '=', userId).select(['issuer', 'subject', 'createdAt']).execute()

/** The files of an export with what they hold, each read when its turn comes. */
export function listExportFiles(db: Db, { workspaceId, userId }: Caller): [name: string, pages: () => Pages][] {
  return [
    ['lists', () => byId(db, workspaceId, 'lists', LIST)],
    ['contacts', () => byId(db, workspaceId, 'contacts', CONTACT)],
    ['list-members', () => members(db, workspaceId)],
    ['confirmations', () => byId(db, workspaceId, 'confirmations', CONFIRMATION)],
    ['forms', () => byId(db, workspaceId, 'forms', FORM)],
    ['tags', () => byId(db, workspaceId, 'tags', ['id', 'name', 'created_at'])],
    ['contact-tags', () => tagged(db, workspaceId)],
    ['tag-clicks', () => tagClicks(db, workspaceId)],
    ['contact-fields', () => byId(db, workspaceId, 'contact_fields', CONTACT_FIELD)],
    ['contact-merges', () => byId(db, workspaceId, 'contact_merges', CONTACT_MERGE)],
    ['contact-edits', () => byId(db, workspaceId, 'contact_edits', CONTACT_EDIT)],
    ['contact-events', () => byId(db, workspaceId, 'contact_events', CONTACT_EVENT)],
    ['preference-changes', () => byId(db, workspaceId, 'preference_changes', PREFERENCE_CHANGE)],
    ['segments', () => byId(db, workspaceId, 'segments', ['id', 'name', 'filter', 'created_at', 'updated_at'])],
    ['suppressions', () => suppressions(db, workspaceId)],
    ['erased-addresses', () => marks(db, workspaceId, 'erased_addresses', 'suppression')],
    ['left-lists', () => marks(db, workspaceId, 'left_lists', 'list_id')],
    ['imports', () => byId(db, workspaceId, 'imports', IMPORT)],
    ['contact-jobs', () => byId(db, workspaceId, 'contact_jobs', CONTACT_JOB)],
    ['import-errors', () => importErrors(db, workspaceId)],
    ['templates', () => byId(db, workspaceId, 'templates', TEMPLATE, HEAVY)],
    ['template-versions', () => byId(db, workspaceId, 'template_versions', TEMPLATE_VERSION, HEAVY)],
    ['saved-blocks', () => byId(db, workspaceId, 'saved_blocks', BLOCK, HEAVY)],
    ['brands', () => few(db, workspaceId, 'brands', BRAND)],
    ['workspace-images', () => byId(db, workspaceId, 'workspace_images', IMAGE)],
    ['senders', () => byId(db, workspaceId, 'senders', SENDER)],
    ['from-addresses', () => few(db, workspaceId, 'from_addresses', ['address_key', 'confirmed_at'])],
    ['sending-domains', () => byId(db, workspaceId, 'sending_domains', DOMAIN)],
    ['link-hosts', () => few(db, workspaceId, 'link_hosts', ['domain', 'used_at'])],
    ['dmarc-reports', () => byId(db, workspaceId, 'dmarc_reports', DMARC_REPORT)],
    ['dmarc-rows', () => byId(db, workspaceId, 'dmarc_rows', DMARC_ROW)],
    ['loopback-checks', () => byId(db, workspaceId, 'loopback_checks', LOOPBACK_CHECK)],
    ['receiver-paces', () => few(db, workspaceId, 'receiver_paces', PACE)],
    ['receiver-pauses', () => few(db, workspaceId, 'receiver_pauses', PAUSE)],
    ['dkim-keys', () => byId(db, workspaceId, 'dkim_keys', DKIM_KEY)],
    ['bounce-sources', () => byId(db, workspaceId, 'bounce_sources', BOUNCE_SOURCE)],
    ['gmail-accounts', () => gmailAccounts(db, workspaceId)],
    ['gmail-clients', () => few(db, workspaceId, 'gmail_clients', ['client_id', 'created_at'])],
    ['campaigns', () => campaigns(db, workspaceId)],
    ['messages', () => messages(db, workspaceId)],
    ['gmail-messages', () => gmailMessages(db, workspaceId)],
    ['campaign-shares', () => byId(db, workspaceId, 'campaign_shares', SHARE)],
    ['campaign-attachments', () => byId(db, workspaceId, 'campaign_attachments', ATTACHMENT)],
    ['journeys', () => byId(db, workspaceId, 'journeys', JOURNEY, HEAVY)],
    ['journey-steps', () => few(db, workspaceId, 'journey_steps', JOURNEY_STEP)],
    ['journey-people', () => byId(db, workspaceId, 'journey_people', JOURNEY_PERSON)],
    ['events', () => events(db, workspaceId)],
    ['collector-jobs', () => byId(db, workspaceId, 'crawl_jobs', COLLECTION, HEAVY)],
    ['collector-pages', () => collected(db, workspaceId, 'crawl_pages', PAGE_READ)],
    ['collector-results', () => collected(db, workspaceId, 'crawl_results', RESULT)],
    ['contact-origins', () => byId(db, workspaceId, 'contact_origins', ORIGIN)],
    ['told-origins', () => told(db, workspaceId)],
    ['whatsapp-accounts', () => byId(db, workspaceId, 'whatsapp_numbers', WHATSAPP_NUMBER)],
    ['whatsapp-templates', () => byId(db, workspaceId, 'whatsapp_templates', WHATSAPP_TEMPLATE)],
    ['whatsapp-consents', () => byId(db, workspaceId, 'whatsapp_consents', CONSENT)],
    ['whatsapp-conversations', () => byId(db, workspaceId, 'whatsapp_conversations', CONVERSATION)],
    ['whatsapp-messages', () => byId(db, workspaceId, 'whatsapp_messages', CHAT_MESSAGE)],
    ['whatsapp-automations', () => byId(db, workspaceId, 'whatsapp_automations', AUTOMATION)],
    ['whatsapp-saved-replies', () => byId(db, workspaceId, 'whatsapp_saved_replies', SAVED_REPLY)],
    ['whatsapp-webhook-events', () => byId(db, workspaceId, 'whatsapp_webhook_events', WEBHOOK_EVENT, HEAVY)],
    ['billing', () => billing(db, workspaceId)],
    ['audit-log', () => log(db, userId)],
  ]
}
