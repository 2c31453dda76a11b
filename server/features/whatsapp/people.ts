import { sql } from 'kysely'
import { liftUnsubscribes, suppress } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict } from '#server/platform/http/refusal.ts'

/** A person's number in international form, from Meta's digits. */
export const toPhone = (waId: string | null): string | null => (waId && /^\d{5,15}$/.test(waId) ? `+${waId}` : null)

const BSUID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/

/** What a person is known and suppressed by, from Meta's identifier: their number in international form, or their scoped id. */
export const toPersonKey = (person: string | null): string | null =>
  toPhone(person) ?? (person !== null && BSUID.test(person) ? person : null)

/** Never again marketing to this number or scoped id, because the person said so, in whatever way. `campaignId`: what led to it. */
export async function optOut(
  db: Db,
  workspaceId: string,
  key: string | null,
  note: string,
  campaignId: string | null = null,
): Promise<void> {
  if (key === null) return
  const campaign = campaignId !== null && { campaignId }
  await suppress(db, workspaceId, { channel: 'whatsapp', address: key, key, reason: 'unsubscribe', note, ...campaign })
}

/** The person wants messages again: only they can undo what they asked for. */
export function optBackIn(db: Db, workspaceId: string, keys: (string | null)[]): Promise<boolean> {
  const known = keys.filter((key) => key !== null)
  return liftUnsubscribes(db, workspaceId, 'whatsapp', known)
}

/** The reasons of suppressions that are the person's own word, which only they take back. */
const OWN_WORD = ['unsubscribe', 'complaint']
/** Whether a reason of a suppression, of its column, is the person's own word. */
export const isOwnWord = (reason: string) => sql<boolean>`${sql.ref(reason)} = any(${OWN_WORD}::text[])`

/** Refuses a person who is suppressed under one of these keys, and says who may change that. Throws Refusal 409. */
export async function refuseSuppressed(db: Db, workspaceId: string, keys: (string | null)[]): Promise<void> {
  const found = await db
    .selectFrom('suppressions')
    .where('workspaceId', '=', workspaceId)
    .where('channel', '=', 'whatsapp')
    .where('addressKey', 'in', [...keys.filter((key) => key !== null), ''])
    .select('reason')
    .execute()
  if (found.some(({ reason }) => OWN_WORD.includes(reason)))
    throw conflict('opted_out', 'This person opted out. Nothing was sent; only the person can change that.')
  if (found.length > 0)
    throw conflict('suppressed', 'This number is on your suppression list. Nothing was sent. Remove it there first.')
}

/** The contact with this scoped id, or else with this number, the one that has nothing but the number first. */
export async function findPersonContact(
  db: Db,
  workspaceId: string,
  { phone, bsuid }: { phone: string | null; bsuid: string | null },
): Promise<{ id: string; phone: string | null; bsuid: string | null } | undefined> {
  const { rows } = await sql<{ id: string; phone: string | null; bsuid: string | null }>`
    select id, phone, bsuid from contacts where workspace_id = ${workspaceId} and (phone = ${phone} or bsuid = ${bsuid})
    order by (bsuid = ${bsuid}) desc nulls last, email_key desc nulls first limit 1`.execute(db)
  return rows[0]
}
