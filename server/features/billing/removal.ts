import type { Db } from '#server/platform/db/database.ts'
import type { Queue } from '#server/platform/queue.ts'
import { queueEnd } from './queues.ts'
import { LIVE, subscriptionOf } from './store.ts'

/** A workspace goes: its subscription is ended at the provider, in the transaction that decides it. */
export async function endSubscription(
  context: { queue: Pick<Queue, 'enqueue'> },
  db: Db,
  workspaceId: string,
): Promise<void> {
  const row = await subscriptionOf(db, workspaceId)
  if (row?.subscriptionId && LIVE.includes(row.status)) await queueEnd(context, db, row.subscriptionId)
}
