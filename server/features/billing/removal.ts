import type { Db } from '#server/platform/db/database.ts'
import type { Queue } from '#server/platform/queue.ts'
import { queueEnd } from './queues.ts'
import { findSubscription, LIVE } from './store.ts'

/** A workspace goes: its subscription is ended at the provider, in the transaction that decides it. */
export async function endSubscription(
  context: { queue: Pick<Queue, 'enqueue'> },
  db: Db,
  workspaceId: string,
): Promise<void> {
  const row = await findSubscription(db, workspaceId)
  if (row?.subscriptionId && LIVE.includes(row.status)) await queueEnd(context, db, row.subscriptionId)
}
