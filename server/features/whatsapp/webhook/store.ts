import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import type { AccountRow } from '../accounts/store.ts'
import { queueHooks } from '../queues.ts'

/** Keeps what came, and queues the work on it, in one transaction: what was answered with 200 is never lost. */
export async function keepHooks(
  { db, queue }: Pick<Services, 'db' | 'queue'>,
  hooks: { account: AccountRow; changes: unknown[] }[],
): Promise<void> {
  if (hooks.length === 0) return
  await db.transaction().execute(async (db) => {
    await db
      .insertInto('whatsappHooks')
      .values(
        hooks.map(({ account, changes }) => ({
          workspaceId: account.workspaceId,
          accountId: account.id,
          changes: JSON.stringify(changes),
        })),
      )
      .execute()
    for (const { account } of hooks) await queueHooks(queue, account.workspaceId, account.id, db)
  })
  const ids = hooks.map(({ account }) => account.id)
  // A burst would write the row for each: once in ten seconds says as much.
  await sql`update whatsapp_accounts set webhook_at = now(), subscribed = true
    where id = any(${ids}::bigint[]) and (webhook_at is null or webhook_at < now() - interval '10 seconds' or not subscribed)`.execute(
    db,
  )
}

export interface HookRow {
  id: string
  changes: unknown[]
}

/** The next hooks of an account nobody works on, oldest first; locked until the transaction ends. */
export async function nextHooks(db: Db, accountId: string, limit: number): Promise<HookRow[]> {
  const { rows } = await sql<HookRow>`
    select id, changes from whatsapp_hooks where account_id = ${accountId} and handled_at is null
    order by id limit ${limit} for update skip locked`.execute(db)
  return rows
}

export async function markHandled(db: Db, ids: string[]): Promise<void> {
  await sql`update whatsapp_hooks set handled_at = now() where id = any(${ids}::bigint[])`.execute(db)
}

/** Accounts with hooks that wait longer than a moment: their worker died. */
export async function waitingAccounts(db: Db): Promise<{ workspaceId: string; accountId: string }[]> {
  const { rows } = await sql<{ workspaceId: string; accountId: string }>`
    select distinct workspace_id, account_id from whatsapp_hooks
    where handled_at is null and received_at < now() - interval '15 seconds'`.execute(db)
  return rows
}

/** Webhooks hold what people wrote: once worked on they are kept for a week, to look into trouble, and no longer. */
export async function forgetHooks(db: Db): Promise<void> {
  await sql`delete from whatsapp_hooks where handled_at < now() - interval '7 days'`.execute(db)
}
