import { sql } from 'kysely'
import type { z } from 'zod'
import type { Consent, ConsentPurpose, whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { isSampleContact } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { takePage } from '#server/platform/http/page.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { isOwnWord } from '../people.ts'

type NewConsent = z.output<typeof whatsappConsents.create.body>

/**
 * A consent that counts for the contact `c`: given for the number it has now, or for its scoped id where it has no number.
 * `purpose`: one that covers this kind of template. Who opted out since is suppressed, which is asked apart.
 */
export const hasConsent = (workspaceId: string, purpose?: string) => sql<boolean>`exists (
  select 1 from whatsapp_consents w where w.workspace_id = ${workspaceId} and w.contact_id = c.id
    and case when c.phone is null then w.bsuid = c.bsuid else w.phone = c.phone end
    ${purpose === undefined ? sql`` : sql`and (w.covers is null or ${purpose.toLowerCase()} = any(w.covers))`})`

const findSuppressions = (workspaceId: string) => sql`
  select 1 from suppressions s where s.workspace_id = ${workspaceId} and s.channel = 'whatsapp' and s.address_key in (c.phone, c.bsuid)`

/** Whether the contact `c` is suppressed over WhatsApp, under its number or its scoped id. */
const isBarred = (workspaceId: string) => sql<boolean>`exists (${findSuppressions(workspaceId)})`

/** Why the consent `w` of the contact `c` does not count any more; null: it does. */
const findLapse = (workspaceId: string) => sql`case
  when not coalesce(case when c.phone is null then c.bsuid = w.bsuid else c.phone = w.phone end, false) then 'other_number'
  when exists (${findSuppressions(workspaceId)} and ${isOwnWord('s.reason')}) then 'opted_out'
  when ${isBarred(workspaceId)} then 'suppressed' end`

/** Records consent for contacts that have a number or a scoped id and did not opt out themselves. */
export async function recordConsents(db: Db, caller: Caller, given: NewConsent) {
  if (Date.parse(given.givenAt) > Date.now() + 60_000)
    throw invalid('givenAt', 'is in the future: record a consent after it was given')
  const { contactIds, ...proof } = given
  const { ids, skipped } = await db.transaction().execute((db) => insertConsents(db, caller, contactIds, proof))
  return { recorded: Object.keys(ids).length, skipped }
}

/** The same in the transaction `db`, by the user with the email address. Returns the ids of the consents by those of the contacts. */
export async function insertConsents(
  db: Db,
  by: { workspaceId: string; email: string },
  contactIds: string[],
  proof: Omit<NewConsent, 'contactIds'>,
) {
  const { how, purpose, covers, wording, evidence, givenAt } = proof
  const wanted = [...new Set(contactIds)]
  const { rows } = await sql<{ id: string; phone: string | null; bsuid: string | null; isOut: boolean }>`
    select c.id, c.phone, c.bsuid, exists (select 1 from suppressions s where s.workspace_id = ${by.workspaceId} and s.channel = 'whatsapp'
      and s.address_key in (c.phone, c.bsuid) and s.reason in ('unsubscribe', 'complaint')) as is_out
    from contacts c where c.workspace_id = ${by.workspaceId} and c.id = any(${wanted}::bigint[]) and not ${isSampleContact}`.execute(
    db,
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  const skipped = wanted.flatMap((contactId) => {
    const row = found.get(contactId)
    const reason = !row
      ? 'unknown'
      : (row.phone ?? row.bsuid) === null
        ? 'no_phone'
        : row.isOut
          ? 'opted_out'
          : undefined
    return reason ? [{ contactId, reason } as const] : []
  })
  const left = new Set(skipped.map(({ contactId }) => contactId))
  const taken = rows.filter((row) => !left.has(row.id))
  const ids = Object.fromEntries(
    (taken.length === 0
      ? []
      : await db
          .insertInto('whatsappConsents')
          .values(
            taken.map(({ id, phone, bsuid }) => ({
              workspaceId: by.workspaceId,
              contactId: id,
              phone: phone ?? '',
              bsuid,
              how,
              purpose,
              covers,
              wording,
              evidence,
              givenAt,
              recordedBy: by.email,
            })),
          )
          .returning(['contactId', 'id'])
          .execute()
    ).map(({ contactId, id }) => [contactId, id]),
  )
  return { ids, skipped }
}

/** Takes back consents that were recorded by mistake, those on which nothing was sent: the others are evidence for it. Returns how many. */
export async function withdrawConsents(db: Db, workspaceId: string, ids: string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from whatsapp_consents w where w.workspace_id = ${workspaceId} and w.id = any(${ids}::bigint[])
      and not exists (select 1 from whatsapp_messages m
        left join whatsapp_conversations v on v.workspace_id = ${workspaceId} and v.id = m.conversation_id
        where m.workspace_id = ${workspaceId} and m.direction = 'out' and m.at >= w.recorded_at
          and (v.contact_id = w.contact_id or m.person in (nullif(w.phone, ''), nullif(ltrim(w.phone, '+'), ''), w.bsuid)))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** Recorded consents, newest first, with whether each still counts. */
export async function listConsents(
  db: Db,
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined; contactId?: string | undefined },
) {
  const { rows } = await sql<Omit<Consent, 'givenAt' | 'recordedAt' | 'counts'> & { givenAt: Date; recordedAt: Date }>`
    select w.id, w.contact_id, w.phone, w.bsuid, w.how, w.purpose, w.covers, w.wording, w.evidence, w.given_at, w.recorded_at, w.recorded_by,
      ${findLapse(workspaceId)} as lapsed
    from whatsapp_consents w left join contacts c on c.workspace_id = w.workspace_id and c.id = w.contact_id
    where w.workspace_id = ${workspaceId} ${page.cursor ? sql`and w.id < ${page.cursor}` : sql``}
      ${page.contactId ? sql`and w.contact_id = ${page.contactId}` : sql``}
    order by w.id desc limit ${page.limit + 1}`.execute(db)
  const { items: shown, nextCursor } = takePage(rows, page.limit)
  const items = shown.map((row) => ({
    ...row,
    counts: row.lapsed === null,
    givenAt: row.givenAt.toISOString(),
    recordedAt: row.recordedAt.toISOString(),
  }))
  return { items, nextCursor }
}

/** How many members of lists could be written to over WhatsApp, and why others could not. Lists of others count as empty. */
export async function summarizeConsents(db: Db, workspaceId: string, listIds: string) {
  const ids = listIds.split(',').filter(Boolean)
  if (ids.some((id) => !/^[1-9]\d{0,17}$/.test(id))) throw invalid('listIds', 'are ids, comma-separated')
  const covering = (purpose: ConsentPurpose) =>
    sql`count(*) filter (where not barred and ${hasConsent(workspaceId, purpose)}) as ${sql.ref(purpose)}`
  type Count = 'members' | 'withPhone' | 'scopedOnly' | 'consented' | 'suppressed' | 'collected' | ConsentPurpose
  const { rows } = await sql<Record<Count, string>>`
    select count(*) as members, count(c.phone) as with_phone,
      count(*) filter (where c.phone is null and c.bsuid is not null) as scoped_only,
      count(*) filter (where not barred and ${hasConsent(workspaceId)}) as consented,
      ${covering('marketing')}, ${covering('utility')}, ${covering('authentication')},
      count(*) filter (where barred) as suppressed,
      count(*) filter (where c.source = 'collected' and not ${hasConsent(workspaceId)}) as collected
    from (select c.*, ${isBarred(workspaceId)} as barred from contacts c
      where c.workspace_id = ${workspaceId} and c.id in (
        select contact_id from list_members where workspace_id = ${workspaceId} and list_id = any(${ids}::bigint[]) and status = 'confirmed')
      offset 0) c`.execute(db)
  const count = (name: Count) => Number(rows[0]?.[name] ?? 0)
  return {
    members: count('members'),
    withPhone: count('withPhone'),
    scopedOnly: count('scopedOnly'),
    consented: count('consented'),
    covers: { marketing: count('marketing'), utility: count('utility'), authentication: count('authentication') },
    suppressed: count('suppressed'),
    collected: count('collected'),
  }
}
