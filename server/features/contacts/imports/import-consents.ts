import { sql } from 'kysely'
import type { z } from 'zod'
import type { ConsentProof } from '#contracts/whatsapp/consents.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import type { Agreed, ImportConsent, Mapping, Ready } from './imports-store.ts'

/** The consent given with a file; undefined where none was. Throws Refusal 400 naming what is wrong with it. */
export function readImportConsent(
  given: z.output<typeof ConsentProof> | undefined,
  mapping: Mapping,
  caller: Caller,
  fileName: string,
): ImportConsent | undefined {
  if (given === undefined) return undefined
  if (Date.parse(given.givenAt) > Date.now() + 60_000)
    throw invalid('consent.givenAt', 'is in the future: record a consent after it was given')
  if (!Object.values(mapping).includes('phone'))
    throw invalid('consent', 'needs a column with phone numbers: it is given for a number')
  return { ...given, evidence: given.evidence || `Imported with ${fileName}`, recordedBy: caller.email }
}

/** How the people of a file agreed to its list before; undefined: they are asked. Throws Refusal 400 without evidence. */
export function readAgreed(
  { optin, optinEvidence }: { optin?: 'ask' | 'agreed' | undefined; optinEvidence?: string | undefined },
  caller: Caller,
): Agreed | undefined {
  if (optin !== 'agreed') return undefined
  if (!optinEvidence) throw invalid('optinEvidence', 'is required: say how and when these people agreed')
  return { evidence: optinEvidence, recordedBy: caller.email }
}

/**
 * Records the consent for the contacts of these rows that have the row's number and did not opt out themselves. Returns
 * for how many; a row that came before in the same file counts once.
 */
export async function recordConsents(
  db: Db,
  workspaceId: string,
  consent: ImportConsent,
  rows: Ready[],
): Promise<number> {
  const { how, purpose, covers, wording, evidence, givenAt, recordedBy } = consent
  let recorded = 0
  for (const byEmail of [true, false]) {
    const part = rows.filter((row) => row.phone !== null && (row.key !== null) === byEmail)
    if (part.length === 0) continue
    const same = byEmail ? sql`c.email_key = given.key` : sql`c.email_key is null and c.phone = given.key`
    const { rows: known } = await sql<{ id: string; phone: string }>`
      select known.id, known.phone
      from unnest(${part.map((row) => row.key ?? row.phone)}::text[], ${part.map((row) => row.phone)}::text[]) as given (key, phone)
      cross join lateral (select c.id, c.phone from contacts c
        where c.workspace_id = ${workspaceId} and ${same} and c.phone = given.phone limit 1) known`.execute(db)
    if (known.length === 0) continue
    const ids = known.map((contact) => contact.id)
    const phones = known.map((contact) => contact.phone)
    const { rows: out } = await sql<{ key: string }>`
      select address_key as key from suppressions where workspace_id = ${workspaceId} and channel = 'whatsapp'
        and address_key = any(${phones}::text[]) and reason in ('unsubscribe', 'complaint')`.execute(db)
    const { rows: given } = await sql<{ key: string }>`
      select contact_id || ' ' || phone as key from whatsapp_consents where workspace_id = ${workspaceId} and contact_id = any(${ids}::bigint[])
        and how = ${how} and purpose = ${purpose} and covers = ${covers}::text[] and given_at = ${givenAt}::timestamptz`.execute(
      db,
    )
    const skipped = new Set([...out, ...given].map(({ key }) => key))
    const agreed = known.filter(({ id, phone }) => !skipped.has(phone) && !skipped.has(`${id} ${phone}`))
    const result = await sql`
      insert into whatsapp_consents (workspace_id, contact_id, phone, how, purpose, covers, wording, evidence, given_at, recorded_by)
      select ${workspaceId}::bigint, id, phone, ${how}, ${purpose}, ${covers}::text[], ${wording}, ${evidence}, ${givenAt}::timestamptz, ${recordedBy}
      from unnest(${agreed.map(({ id }) => id)}::bigint[], ${agreed.map(({ phone }) => phone)}::text[]) as agreed (id, phone)`.execute(
      db,
    )
    recorded += Number(result.numAffectedRows ?? 0)
  }
  return recorded
}
