import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** A person's number in international form, from Meta's digits. */
export const phoneOf = (waId: string | null): string | null => (waId && /^\d{5,15}$/.test(waId) ? `+${waId}` : null)

/** Never again marketing to this number, because the person said so, in whatever way. */
export async function optOut(db: Db, workspaceId: string, phone: string | null, note: string): Promise<void> {
  if (phone === null) return
  await sql`insert into suppressions (workspace_id, channel, address, address_key, reason, note)
    values (${workspaceId}, 'whatsapp', ${phone}, ${phone}, 'unsubscribe', ${note}) on conflict do nothing`.execute(db)
}

/** The person himself wants messages again: only he can undo what he asked for. */
export async function optBackIn(db: Db, workspaceId: string, phone: string | null): Promise<boolean> {
  if (phone === null) return false
  const result = await db
    .deleteFrom('suppressions')
    .where('workspaceId', '=', workspaceId)
    .where('channel', '=', 'whatsapp')
    .where('addressKey', '=', phone)
    .where('reason', '=', 'unsubscribe')
    .executeTakeFirst()
  return Number(result.numDeletedRows) > 0
}

export async function isOptedOut(db: Db, workspaceId: string, phone: string | null): Promise<boolean> {
  if (phone === null) return false
  const row = await db
    .selectFrom('suppressions')
    .where('workspaceId', '=', workspaceId)
    .where('channel', '=', 'whatsapp')
    .where('addressKey', '=', phone)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The contact with this number, the one that has nothing but the number first. */
export async function contactOfPhone(db: Db, workspaceId: string, phone: string | null) {
  if (phone === null) return undefined
  return db
    .selectFrom('contacts')
    .where('workspaceId', '=', workspaceId)
    .where('phone', '=', phone)
    .orderBy('emailKey', (order) => order.desc().nullsFirst())
    .select(['id', 'name', 'email', 'phone', 'attributes'])
    .limit(1)
    .executeTakeFirst()
}
