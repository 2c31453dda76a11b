/**
 * What other features' tables hold of one person, taken out. The one store of contacts that touches them: what is left of
 * somebody erased is one thing, and every place is named here.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Who is erased: the removed contact's id, all they were reached by, and what stands in its place from now on. */
export interface Erased {
  workspaceId: string
  contactId: string
  email: string | null
  emailKey: string | null
  phone: string | null
  bsuid: string | null
  /** Says nothing to anybody, and the same for the same person. */
  pseudonym: string
}

const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Every spelling of the person's addresses; numbers also as WhatsApp has them, without the plus. */
const spellings = ({ email, emailKey, phone, bsuid }: Erased) => [
  ...new Set([email, emailKey, phone, phone?.slice(1), bsuid].flatMap((text) => (text ? [text] : []))),
]

const anySpelling = (who: Erased) =>
  spellings(who)
    .sort((a, b) => b.length - a.length)
    .map(quoted)
    .join('|')

const without = (column: RawBuilder<unknown>, who: Erased) =>
  sql`regexp_replace(${column}, ${anySpelling(who)}, ${who.pseudonym}, 'gi')`

/** Contacts that an import or a collection made with one of these addresses. */
export async function broughtBack(
  db: Db,
  workspaceId: string,
  { emailKey, phone }: Pick<Erased, 'emailKey' | 'phone'>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from contacts where workspace_id = ${workspaceId} and source in ('import', 'collected')
      and (email_key = ${emailKey} or (email_key is null and phone = ${phone}))`.execute(db)
  return rows.map((row) => row.id)
}

export async function campaignsOf(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db.selectFrom('campaigns').where('workspaceId', '=', workspaceId).select('id').execute()
  return rows.map((row) => row.id)
}

/**
 * Takes the person out of a campaign's messages, also those sent to an earlier contact with the address, and what returned
 * for them. The counts stay. Returns whether one of them is being sent at this moment.
 */
export async function clearCampaign(db: Db, workspaceId: string, campaignId: string, who: Erased): Promise<boolean> {
  const reached = [who.email, who.emailKey, who.phone, who.bsuid].flatMap((text) => (text ? [text.toLowerCase()] : []))
  return db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: string; state: string }>`
      update messages set address = ${who.pseudonym}, response = ${without(sql`response`, who)}
      where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and (contact_id = ${who.contactId} or lower(address) = any(${reached}::text[]))
      returning id, state`.execute(db)
    if (rows.length === 0) return false
    const ids = rows.map((row) => row.id)
    await sql`update events set network = '', user_agent = '', hints = '{}'
      where workspace_id = ${workspaceId} and message_id = any(${ids}::bigint[])`.execute(db)
    await sql`update gmail_messages set bounce_text = ''
      where workspace_id = ${workspaceId} and message_id = any(${ids}::bigint[])`.execute(db)
    await sql`update whatsapp_messages set person = ${who.pseudonym}, text = '', content = '{}', error_text = ''
      where workspace_id = ${workspaceId} and message_id = any(${ids}::bigint[])`.execute(db)
    return rows.some((row) => row.state === 'claimed')
  })
}

/** Takes the person out of the consents, whose proof stays without them. */
export async function clearConsents(db: Db, who: Erased): Promise<void> {
  await db.transaction().execute(async (db) => {
    await sql`select set_config('postlark.erasing', 'on', true)`.execute(db)
    await sql`update whatsapp_opt_ins set phone = case when phone = '' then '' else ${who.pseudonym} end, bsuid = null,
        evidence = ${without(sql`evidence`, who)}
      where workspace_id = ${who.workspaceId} and (contact_id = ${who.contactId} or phone = ${who.phone} or bsuid = ${who.bsuid})`.execute(
      db,
    )
  })
}

/** Removes the conversations with a person; of what was said stays that it was, for the figures and the costs. */
export async function clearConversations(db: Db, who: Erased): Promise<void> {
  const { workspaceId, contactId, phone, bsuid, pseudonym } = who
  const people = [phone?.slice(1), phone, bsuid].filter((text) => text)
  await db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: string }>`
      delete from whatsapp_conversations where workspace_id = ${workspaceId}
        and (contact_id = ${contactId} or phone = ${phone} or bsuid = ${bsuid} or wa_id = any(${people}::text[])) returning id`.execute(
      db,
    )
    const ids = rows.map((row) => row.id)
    await sql`update whatsapp_messages set conversation_id = null, person = ${pseudonym}, text = '', content = '{}', error_text = ''
      where workspace_id = ${workspaceId} and (conversation_id = any(${ids}::bigint[]) or person = any(${people}::text[]))`.execute(
      db,
    )
    if (people.length > 0)
      await sql`delete from whatsapp_webhook_events where workspace_id = ${workspaceId} and handled_at is not null
        and changes::text ~ ${anySpelling(who)}`.execute(db)
  })
}

/** Takes the person out of what could not be imported and what was collected. */
export async function clearFound(db: Db, who: Erased): Promise<void> {
  const { workspaceId, emailKey, phone } = who
  await sql`update import_errors set line = '' where workspace_id = ${workspaceId} and import_id in (select id from imports where workspace_id = ${workspaceId})
    and line ~* ${anySpelling(who)}`.execute(db)
  await sql`update crawl_results set context = ${without(sql`context`, who)} where workspace_id = ${workspaceId}
    and job_id in (select id from crawl_jobs where workspace_id = ${workspaceId}) and context ~* ${anySpelling(who)}`.execute(
    db,
  )
  await sql`update contact_origins set evidence = ${without(sql`evidence`, who)} where workspace_id = ${workspaceId}
    and evidence ~* ${anySpelling(who)}`.execute(db)
  const values = [emailKey, phone, who.email?.toLowerCase()].filter((text) => text)
  await sql`
    with gone as (
      delete from crawl_results where workspace_id = ${workspaceId}
        and job_id in (select id from crawl_jobs where workspace_id = ${workspaceId})
        and split_part(lower(value), ';', 1) = any(${values}::text[]) returning job_id
    ) update crawl_jobs j set found = greatest(0, found - gone.n) from (select job_id, count(*)::int as n from gone group by job_id) gone
      where j.id = gone.job_id`.execute(db)
}
