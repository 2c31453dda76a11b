/** What a person sees and changes on their preference page. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Visitor } from '../confirmations/confirmations-store.ts'
import { contactParts } from '../contact-parts.ts'
import { emailKeys, ownFirst } from '../suppressions/email-keys.ts'

/** What a person did; the evidence is stored with each. */
export type ChangeKind =
  | 'list_joined'
  | 'list_left'
  | 'unsubscribed'
  | 'resubscribed'
  | 'whatsapp_off'
  | 'whatsapp_on'
  | 'paused'
  | 'weekly'
  | 'all_emails'
  | 'data_requested'
  | 'data_read'
  | 'erasure_requested'

export interface Change {
  kind: ChangeKind
  detail?: string
}

/** Merges of a contact that was merged again are followed so far. */
const MAX_MERGES = 20

/** A contact a link leads to, with the address it has now. */
export interface KeptContact {
  id: string
  email: string | null
  emailKey: string | null
  /** The language stored with it. */
  locale: string | null
}

/** The custom fields that say in which language a contact reads, as SQL; `c` is the contact. */
export const contactLocale = sql`coalesce(c.attributes->>'locale', c.attributes->>'language')`

/** The contact that a link leads to by its id: the one that stayed where it was merged; undefined: it is gone. */
export async function findKept(db: Db, workspaceId: string, contactId: string): Promise<KeptContact | undefined> {
  const { rows } = await sql<KeptContact>`
    with recursive kept as (
      select ${contactId}::bigint as id, 0 as n
      union all select m.contact_id, n + 1 from kept join contact_merges m on m.workspace_id = ${workspaceId} and (m.other->>'id')::bigint = kept.id
        where n < ${MAX_MERGES}::int
    ) select c.id, c.email, c.email_key, ${contactLocale} as locale
    from kept join contacts c on c.workspace_id = ${workspaceId} and c.id = kept.id order by n limit 1`.execute(db)
  return rows[0]
}

/** Holds a contact as it is until the transaction ends, for somebody who leaves a list. Returns whether it is there. */
export async function holdContact(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select id from contacts where workspace_id = ${workspaceId} and id = ${id} for share`.execute(db)
  return rows.length > 0
}

export interface PersonRow {
  id: string
  email: string | null
  emailKey: string | null
  phone: string | null
  bsuid: string | null
  source: string
  createdAt: Date
  locale: string | null
  pausedUntil: Date | null
  weeklyLimit: number | null
  /** Why emails are suppressed, and why WhatsApp messages are; null: they are not. */
  emailReason: string | null
  whatsappReason: string | null
  hasConsent: boolean
  company: string
  postalAddress: string
}

/** A contact with what its preferences are decided by; `lock` holds it until the transaction ends. */
export async function findPerson(
  db: Db,
  workspaceId: string,
  id: string,
  lock = false,
): Promise<PersonRow | undefined> {
  if (lock) await sql`select from contacts where workspace_id = ${workspaceId} and id = ${id} for update`.execute(db)
  const consented = contactParts().flatMap((part) => part.consented?.(workspaceId) ?? [])
  const { rows } = await sql<PersonRow>`
    select c.id, c.email, c.email_key, c.phone, c.bsuid, c.source, c.created_at, c.weekly_limit,
      ${contactLocale} as locale,
      case when c.paused_until > now() then c.paused_until end as paused_until,
      (select s.reason from suppressions s where s.workspace_id = ${workspaceId} and s.channel = 'email'
        and s.address_key in (${emailKeys(sql.ref('c.email_key'))}) order by ${ownFirst} limit 1) as email_reason,
      (select s.reason from suppressions s where s.workspace_id = ${workspaceId} and s.channel = 'whatsapp'
        and s.address_key in (c.phone, c.bsuid) order by s.reason <> 'unsubscribe' desc limit 1) as whatsapp_reason,
      ${sql.join([sql`false`, ...consented], sql` or `)} as has_consent,
      coalesce(nullif(w.company, ''), w.name) as company, w.postal_address
    from contacts c join workspaces w on w.id = c.workspace_id
    where c.workspace_id = ${workspaceId} and c.id = ${id}`.execute(db)
  return rows[0]
}

export interface ListChoice {
  id: string
  name: string
  description: string
  isOn: boolean
}

/** Of more lists a person sees the oldest. */
const MAX_LISTS = 200

/** The lists a person sees: those they are or were on, and public ones. */
export async function findChoices(db: Db, workspaceId: string, contactId: string): Promise<ListChoice[]> {
  const { rows } = await sql<ListChoice>`
    select l.id, l.name, l.description, coalesce(m.status = 'confirmed', false) as is_on from lists l
    left join list_members m on m.workspace_id = l.workspace_id and m.list_id = l.id and m.contact_id = ${contactId}
    where l.workspace_id = ${workspaceId} and (l.is_public or m.contact_id is not null) order by l.id limit ${MAX_LISTS}`.execute(
    db,
  )
  return rows
}

/** How often a contact wants emails; a pause that is over is none. A contact that is gone has chosen nothing. */
export async function findFrequency(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<{ frequency: 'all' | 'weekly'; pausedUntil: string | null }> {
  const { rows } = await sql<{ pausedUntil: Date | null; weeklyLimit: number | null }>`
    select case when paused_until > now() then paused_until end as paused_until, weekly_limit from contacts
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
  const chosen = rows[0] ?? { pausedUntil: null, weeklyLimit: null }
  return {
    frequency: toFrequency(chosen.weeklyLimit),
    pausedUntil: chosen.pausedUntil?.toISOString() ?? null,
  }
}

/** A limit of emails a week in the words of the preference page. */
export const toFrequency = (weeklyLimit: number | null): 'all' | 'weekly' => (weeklyLimit === null ? 'all' : 'weekly')

/** Stores when and how often a person wants emails. */
export async function setFrequency(
  db: Db,
  workspaceId: string,
  id: string,
  { pauseDays, weeklyLimit }: { pauseDays: number | null; weeklyLimit: number | null },
): Promise<void> {
  await sql`update contacts set weekly_limit = ${weeklyLimit}::smallint, paused_until = now() + make_interval(days => ${pauseDays}::int)
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
}

/** Stores what a person changed, with when and from where. */
export async function insertChanges(
  db: Db,
  workspaceId: string,
  { contactId, campaignId }: { contactId: string; campaignId: string | null },
  visitor: Visitor,
  changes: Change[],
): Promise<void> {
  if (changes.length === 0) return
  await db
    .insertInto('preferenceChanges')
    .values(
      changes.map(({ kind, detail = '' }) => ({
        ...{ workspaceId, contactId, campaignId, kind, detail },
        ip: visitor.ip,
        userAgent: visitor.userAgent,
      })),
    )
    .execute()
}

/** Forgets what removed contacts changed. */
export async function deleteChanges(db: Db, workspaceId: string, contactIds: string[]): Promise<void> {
  await db
    .deleteFrom('preferenceChanges')
    .where('workspaceId', '=', workspaceId)
    .where('contactId', 'in', contactIds)
    .execute()
}
