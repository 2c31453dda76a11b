/** Requests to confirm a subscription: each is one person, one or more lists, and what was sent, typed and confirmed. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { contactLocale } from '../preferences/preferences-store.ts'
import type { AttributeMap } from '../store.ts'
import { LINK_DAYS } from './confirmation-link.ts'

/** What a person typed into a form, and the tags they get with it. */
export interface TypedFields {
  name?: string
  attributes?: AttributeMap
  tags?: string[]
}

/** Who asked, from where. */
export interface Visitor {
  ip: string
  userAgent: string
}

export interface NewConfirmation {
  listIds: string[]
  contactId: string | null
  email: string
  emailKey: string
  fields?: TypedFields
  source: 'member' | 'blog' | 'form' | 'preferences'
  formId?: string
  wording: string
  wordingVersion?: number
  visitor?: Visitor
}

export interface ConfirmationRow {
  id: string
  workspaceId: string
  listIds: string[]
  contactId: string | null
  email: string
  emailKey: string
  fields: TypedFields
  source: NewConfirmation['source']
  formId: string | null
  wording: string
  wordingVersion: number
  /** Seconds of the database's clock: what is said later is compared with it. */
  at: number
  nextMail: 'first' | 'reminder' | null
  tries: number
  mails: number
  sentAt: Date | null
  isExpired: boolean
  confirmedAt: Date | null
}

const columns = sql`id, workspace_id, list_ids, contact_id, email, email_key, fields, source, form_id, wording, wording_version,
  extract(epoch from requested_at)::float8 as at, next_mail, tries, mails, sent_at, confirmed_at,
  coalesce(expires_at < now(), false) as is_expired`

/** Hours between the email and its only reminder. */
const REMINDER_HOURS = 48
/** Seconds until an email that could not be sent is tried again, by how often it was. */
const RETRY_SECONDS = [60, 300, 1_800, 7_200, 21_600, 43_200, 86_400]

/** Stores a request; its email is sent as soon as the sender allows. Returns its id. */
export async function insertConfirmation(db: Db, workspaceId: string, given: NewConfirmation): Promise<string> {
  const { visitor, fields = {}, ...rest } = given
  const row = await db
    .insertInto('confirmations')
    .values({
      workspaceId,
      ...rest,
      fields: JSON.stringify(fields),
      requestedIp: visitor?.ip ?? null,
      requestedUserAgent: visitor?.userAgent ?? null,
      nextMail: 'first',
      dueAt: sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Stores the consent of somebody who was subscribed at once: the form they sent is its evidence. */
export async function insertConfirmed(db: Db, workspaceId: string, given: NewConfirmation): Promise<void> {
  const { visitor, fields = {}, ...rest } = given
  const where = { requestedIp: visitor?.ip ?? null, requestedUserAgent: visitor?.userAgent ?? null }
  const confirmed = { confirmedIp: where.requestedIp, confirmedUserAgent: where.requestedUserAgent }
  await db
    .insertInto('confirmations')
    .values({
      ...{ workspaceId, ...rest, fields: JSON.stringify(fields), ...where, ...confirmed },
      confirmedAt: sql<Date>`now()`,
    })
    .execute()
}

/** A request; `lock` holds it until the transaction ends. */
export async function findConfirmation(
  db: Db,
  workspaceId: string,
  id: string,
  lock = false,
): Promise<ConfirmationRow | undefined> {
  const { rows } = await sql<ConfirmationRow>`
    select ${columns} from confirmations where workspace_id = ${workspaceId} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(
    db,
  )
  return rows[0]
}

/** The language stored with the contact that has the address of a request, or else the one that was typed with it; null: none. */
export async function findLocale(
  db: Db,
  { workspaceId, emailKey, fields }: Pick<ConfirmationRow, 'workspaceId' | 'emailKey' | 'fields'>,
): Promise<string | null> {
  const { rows } = await sql<{ locale: string | null }>`select ${contactLocale} as locale from contacts c
    where c.workspace_id = ${workspaceId} and c.email_key = ${emailKey}`.execute(db)
  const typed = fields.attributes?.locale ?? fields.attributes?.language
  return rows[0]?.locale ?? (typeof typed === 'string' ? typed : null)
}

/** Whether an email of any workspace is due. */
export const isAnyDue = sql<boolean>`(select min(due_at) from confirmations) <= now()`

/** Workspaces with an email that is due, those who wait longest first. */
export async function workspacesWithDue(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select workspace_id as id from (
      select workspace_id, due_at from confirmations where due_at <= now() order by due_at limit 1000
    ) due group by workspace_id order by min(due_at) limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** The next emails of a workspace: people who asked come before those the workspace put on a list. */
export async function dueConfirmations(db: Db, workspaceId: string, limit: number): Promise<ConfirmationRow[]> {
  const { rows } = await sql<ConfirmationRow>`
    select ${columns} from (
      select * from confirmations where workspace_id = ${workspaceId} and due_at <= now() and handing_at is null
      order by (source = 'member'), due_at, id limit ${limit}) due`.execute(db)
  return rows
}

/** Puts off what is due in a workspace that cannot send now, and says why. */
export async function putOff(db: Db, workspaceId: string, seconds: number, problem: string): Promise<void> {
  await sql`update confirmations set due_at = now() + make_interval(secs => ${seconds}), problem = ${problem}
    where workspace_id = ${workspaceId} and due_at <= now() and handing_at is null`.execute(db)
}

/** Notes that an email is handed over from now on. Returns false where another process does it, or nobody is to be asked any more. */
export async function claim(db: Db, { workspaceId, id, nextMail }: ConfirmationRow): Promise<boolean> {
  const result = await sql`update confirmations set handing_at = now()
    where workspace_id = ${workspaceId} and id = ${id} and next_mail = ${nextMail} and handing_at is null and confirmed_at is null`.execute(
    db,
  )
  return Number(result.numAffectedRows) > 0
}

/** Takes back a claim: the email certainly did not leave, which is no failure of it. */
export async function unclaim(db: Db, { workspaceId, id, nextMail }: ConfirmationRow): Promise<void> {
  await sql`update confirmations set handing_at = null
    where workspace_id = ${workspaceId} and id = ${id} and next_mail = ${nextMail}`.execute(db)
}

/** Puts off one email whose receiver takes no more before a moment, and says why. */
export async function postpone(
  db: Db,
  { workspaceId, id }: ConfirmationRow,
  { until, problem }: { until: Date; problem: string },
): Promise<void> {
  await sql`update confirmations set due_at = ${until}, problem = ${problem}
    where workspace_id = ${workspaceId} and id = ${id} and next_mail is not null and handing_at is null`.execute(db)
}

const sent = sql`handing_at = null, tries = 0, mails = mails + 1, sent_at = now(),
  expires_at = coalesce(expires_at, (select now() + make_interval(days => ${LINK_DAYS}))),
  due_at = case when next_mail = 'first' then (select now() + make_interval(hours => ${REMINDER_HOURS})) end,
  next_mail = case when next_mail = 'first' then 'reminder' end`

/** An email was taken by its mail server, or nobody knows whether it was: it is not sent again. */
export async function noteSent(db: Db, { workspaceId, id }: ConfirmationRow, problem = ''): Promise<void> {
  await sql`update confirmations set ${sent}, problem = ${problem}
    where workspace_id = ${workspaceId} and id = ${id} and next_mail is not null`.execute(db)
}

/** An email certainly did not leave. It is tried again, later each time, and at last given up. */
export async function noteDeferred(
  db: Db,
  { workspaceId, id, tries }: ConfirmationRow,
  problem: string,
): Promise<void> {
  const wait = RETRY_SECONDS[tries]
  if (wait === undefined) return endMails(db, workspaceId, id, problem)
  await sql`update confirmations set handing_at = null, tries = tries + 1, problem = ${problem},
      due_at = now() + make_interval(secs => ${wait})
    where workspace_id = ${workspaceId} and id = ${id} and next_mail is not null`.execute(db)
}

/** No more emails about this request. */
export async function endMails(db: Db, workspaceId: string, id: string, problem = ''): Promise<void> {
  await sql`update confirmations set handing_at = null, next_mail = null, due_at = null, problem = ${problem}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
}

/** Takes up what was being handed over for so many seconds: its process is gone, and nobody knows whether it arrived. */
export async function takeUpHanded(db: Db, seconds: number): Promise<void> {
  const silent = sql<boolean>`handing_at < now() - make_interval(secs => ${seconds})`
  // For each workspace, because spread tables take this time in coalesce of one workspace only (docs/citus.md).
  for (const { workspaceId } of await db
    .selectFrom('confirmations')
    .where(silent)
    .select('workspaceId')
    .distinct()
    .execute())
    await sql`update confirmations set ${sent}, problem = 'Postlark was stopped while the email was sent.'
      where workspace_id = ${workspaceId} and ${silent}`.execute(db)
}

/** Whether the person has a newer request for one of these lists: that one reminds them. */
export async function hasNewer(db: Db, { workspaceId, id, emailKey, listIds }: ConfirmationRow): Promise<boolean> {
  const { rows } =
    await sql`select from confirmations where workspace_id = ${workspaceId} and email_key = ${emailKey} and id > ${id}
    and list_ids && ${listIds}::bigint[] limit 1`.execute(db)
  return rows.length > 0
}

/** The evidence: who confirmed, when and from where. Other requests of the person for the same lists need no reminder. */
export async function noteConfirmed(db: Db, row: ConfirmationRow, contactId: string, visitor: Visitor): Promise<void> {
  const { workspaceId, id, emailKey, listIds } = row
  await sql`update confirmations set confirmed_at = now(), confirmed_ip = ${visitor.ip}, confirmed_user_agent = ${visitor.userAgent},
      contact_id = ${contactId}, handing_at = null, next_mail = null, due_at = null
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
  await sql`update confirmations set handing_at = null, next_mail = null, due_at = null
    where workspace_id = ${workspaceId} and email_key = ${emailKey} and list_ids <@ ${listIds}::bigint[] and confirmed_at is null`.execute(
    db,
  )
}

/** The person did not ask for it: everything they were asked by this workspace and did not confirm goes, and the lists are left. */
export async function decline(db: Db, { workspaceId, emailKey }: ConfirmationRow): Promise<void> {
  await sql`update list_members m set status = 'unsubscribed', at = now() from contacts c
    where c.workspace_id = ${workspaceId} and c.email_key = ${emailKey} and m.workspace_id = c.workspace_id and m.contact_id = c.id
      and m.status = 'pending'`.execute(db)
  await sql`delete from confirmations where workspace_id = ${workspaceId} and email_key = ${emailKey} and confirmed_at is null`.execute(
    db,
  )
}

/** Deletes some requests nobody confirmed: two weeks after their links expired, or after two months without an email. Returns how many. */
export async function deleteOld(db: Db, limit: number): Promise<number> {
  const result = await sql`delete from confirmations where (workspace_id, id) in (
    select workspace_id, id from confirmations where confirmed_at is null
      and requested_at < now() - make_interval(days => ${LINK_DAYS}) and coalesce(expires_at, requested_at + interval '46 days') < now() - make_interval(days => ${LINK_DAYS})
    limit ${limit})`.execute(db)
  return Number(result.numAffectedRows)
}

/** Forgets what removed contacts were asked and confirmed, also before they were contacts. */
export async function deleteConfirmations(db: Db, workspaceId: string, contactIds: string[]): Promise<void> {
  await sql`delete from confirmations where workspace_id = ${workspaceId} and (contact_id = any(${contactIds}::bigint[])
    or email_key = any(array(select email_key from contacts where workspace_id = ${workspaceId} and id = any(${contactIds}::bigint[]))))`.execute(
    db,
  )
}
