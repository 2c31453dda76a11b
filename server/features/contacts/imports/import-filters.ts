/** Rows of a file that are not written, because of whom they name or because the plan is full. */
import { roomForContacts } from '#server/features/billing/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { erasedKeys } from '../erasure/erased-store.ts'
import type { Secret } from '../suppressions/retained-suppressions.ts'
import type * as store from './imports-store.ts'

/**
 * Leaves out rows of people who were erased; what was read of them is not stored. Somebody else with the number of one,
 * such as a company's, goes in without it.
 */
export async function withoutErased(
  db: Db,
  config: Secret,
  workspaceId: string,
  rows: store.Ready[],
): Promise<{ ready: store.Ready[]; erased: store.BadRow[] }> {
  const collectKeys = (of: (row: store.Ready) => string | null) => rows.flatMap((row) => of(row) ?? [])
  const emails = await erasedKeys(
    db,
    config,
    workspaceId,
    'email',
    collectKeys(({ key }) => key),
  )
  const phones = await erasedKeys(
    db,
    config,
    workspaceId,
    'whatsapp',
    collectKeys(({ phone }) => phone),
  )
  const ready: store.Ready[] = []
  const erased: store.BadRow[] = []
  for (const row of rows) {
    const hasErasedPhone = row.phone !== null && phones.has(row.phone)
    if (row.key === null ? hasErasedPhone : emails.has(row.key))
      erased.push({ row: row.row, reason: 'this person was erased from your contacts', line: '' })
    else ready.push(hasErasedPhone ? { ...row, phone: null } : row)
  }
  return { ready, erased }
}

/** Parts what the plan has room for from what is beyond it; contacts that exist already are always within. */
export async function withinLimit(
  db: Db,
  row: store.ImportRow,
  rows: store.Ready[],
  known: Pick<Map<store.Ready, unknown>, 'has'>,
): Promise<{ ready: store.Ready[]; beyond: store.BadRow[] }> {
  const limit = row.contactLimit
  if (limit === null) return { ready: rows, beyond: [] }
  let room = await roomForContacts(db, row.workspaceId)
  if (room === null || room >= rows.length) return { ready: rows, beyond: [] }
  const reason = `your plan includes ${limit.toLocaleString('en')} contacts, and all of them are used`
  const beyond: store.BadRow[] = []
  const ready = rows.filter((row) => {
    if (known.has(row)) return true
    if (room !== null && room-- > 0) return true
    beyond.push({ row: row.row, reason, line: row.email ?? row.phone ?? '' })
    return false
  })
  return { ready, beyond }
}
