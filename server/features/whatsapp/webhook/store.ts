import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import type { AccountRow } from '../numbers/store.ts'
import { queueWebhookEvents } from '../queues.ts'

/** Keeps what came, and queues the work on it, in one transaction: what was answered with 200 is never lost. */
export async function storeEvents(
  { db, queue }: Pick<Services, 'db' | 'queue'>,
  events: { account: AccountRow; changes: unknown[] }[],
): Promise<void> {
  if (events.length === 0) return
  await db.transaction().execute(async (db) => {
    await db
      .insertInto('whatsappWebhookEvents')
      .values(
        events.map(({ account, changes }) => ({
          workspaceId: account.workspaceId,
          accountId: account.id,
          changes: JSON.stringify(changes),
        })),
      )
      .execute()
    for (const { account } of events) await queueWebhookEvents(queue, account.workspaceId, account.id, db)
  })
  const ids = events.map(({ account }) => account.id)
  // A burst would write the row for each: once in ten seconds says as much.
  await sql`update whatsapp_numbers set webhook_at = now(), subscribed = true
    where workspace_id = any(${events.map(({ account }) => account.workspaceId)}::bigint[]) and id = any(${ids}::bigint[]) and (webhook_at is null or webhook_at < now() - interval '10 seconds' or not subscribed)`.execute(
    db,
  )
}

export interface WebhookEventRow {
  id: string
  changes: unknown[]
}

/** The next webhook events of an account nobody works on, oldest first; locked until the transaction ends. */
export async function nextEvents(
  db: Db,
  workspaceId: string,
  accountId: string,
  limit: number,
): Promise<WebhookEventRow[]> {
  const { rows } = await sql<WebhookEventRow>`
    select id, changes from whatsapp_webhook_events where workspace_id = ${workspaceId} and account_id = ${accountId} and handled_at is null
    order by id limit ${limit} for update skip locked`.execute(db)
  return rows
}

export async function markHandled(db: Db, workspaceId: string, ids: string[]): Promise<void> {
  await sql`update whatsapp_webhook_events set handled_at = now() where workspace_id = ${workspaceId} and id = any(${ids}::bigint[])`.execute(
    db,
  )
}

const isWaiting = sql`handled_at is null and received_at < now() - interval '15 seconds'`
const isOld = sql`handled_at < now() - interval '7 days'`
/** Whether the webhook events of any account wait longer than a moment, or were handled long ago. */
export const isAnyLeft = sql<boolean>`(exists (select 1 from whatsapp_webhook_events where ${isWaiting})
  or exists (select 1 from whatsapp_webhook_events where ${isOld}))`

/** Accounts with webhook events that wait longer than a moment: their worker died. */
export async function waitingAccounts(db: Db): Promise<{ workspaceId: string; accountId: string }[]> {
  const { rows } = await sql<{ workspaceId: string; accountId: string }>`
    select distinct workspace_id, account_id from whatsapp_webhook_events
    where ${isWaiting}`.execute(db)
  return rows
}

/** Webhook events hold what people wrote: once handled they are retained for a week, to look into trouble, and no longer. */
export async function deleteOldEvents(db: Db): Promise<void> {
  await sql`delete from whatsapp_webhook_events where ${isOld}`.execute(db)
}
