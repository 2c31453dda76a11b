import { sql } from 'kysely'
import { findCodeMeaning } from '#server/adapters/whatsapp/codes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { timeNow } from '#server/platform/db/spread.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import type { Services } from '#server/services.ts'
import { campaignsPart } from '../campaigns-part.ts'
import { type AccountRow, accountById, noteState } from '../numbers/store.ts'
import { optOut, toPersonKey } from '../people.ts'
import { queueAutomaticReply } from '../queues.ts'
import { mergeAll, readChanges } from './events.ts'
import { keepInbound, keepPreferences } from './inbound.ts'
import { keepNumberEvent, keepTemplateEvent, keepTemplateQuality } from './numbers.ts'
import { type Moved, writeStatuses } from './statuses.ts'
import { markHandled, nextEvents } from './store.ts'

/** Hooks worked on in one transaction. */
const BATCH = 50

/** What failed statuses mean beyond their message: the person stopped, or the number may not go on. */
async function heedFailures(db: Db, account: AccountRow, moved: Moved[]): Promise<void> {
  for (const { status, errorCode, person, campaignId } of moved) {
    if (status !== 'failed' || errorCode === null) continue
    const { action, text, ofTemplate } = findCodeMeaning(errorCode)
    if (action === 'suppress')
      await optOut(
        db,
        account.workspaceId,
        toPersonKey(person),
        `Stopped promotions in WhatsApp (${errorCode}).`,
        campaignId,
      )
    if (action === 'reconnect') await noteState(db, account.workspaceId, account.id, 'reconnect', text)
    if ((action === 'stop' || action === 'pause') && !ofTemplate)
      await noteState(db, account.workspaceId, account.id, 'restricted', text)
  }
}

async function touch(db: Db, workspaceId: string, moved: Moved[]): Promise<string[]> {
  const ids = [...new Set(moved.flatMap((one) => (one.conversationId ? [one.conversationId] : [])))]
  if (ids.length > 0)
    await sql`update whatsapp_conversations set changed_at = ${timeNow()}
      where workspace_id = ${workspaceId} and id = any(${ids}::bigint[])`.execute(db)
  return ids
}

/** Works on one batch of an account’s webhook events. Returns how many there were. */
async function workStored(services: Services, db: Db, account: AccountRow): Promise<number> {
  const stored = await nextEvents(db, account.workspaceId, account.id, BATCH)
  if (stored.length === 0) return 0
  const events = readChanges(stored.flatMap((event) => event.changes))
  for (const event of events.inbound) {
    const received = await keepInbound(db, account, event)
    if (received && event.isPerson)
      await queueAutomaticReply(services.queue, { workspaceId: account.workspaceId, ...received }, db)
  }
  const moved = await writeStatuses(db, account, mergeAll(events.statuses))
  await touch(db, account.workspaceId, moved)
  await heedFailures(db, account, moved)
  const ofCampaigns = moved.flatMap((one) => (one.messageId ? [one.messageId] : []))
  await campaignsPart().settleMessages(db, account.workspaceId, ofCampaigns)
  await keepPreferences(db, account, events.preferences)
  for (const event of events.templates) await keepTemplateEvent(db, account, event)
  if (events.templates.length > 0)
    await campaignsPart().pauseForTemplates(db, account.workspaceId, account.businessAccountId)
  for (const event of events.qualities) await keepTemplateQuality(db, account, event)
  for (const event of events.numbers) await keepNumberEvent(db, account, event)
  await markHandled(
    db,
    account.workspaceId,
    stored.map((event) => event.id),
  )
  return stored.length
}

/** The same in one transaction, and tells who watches. */
async function workBatch(services: Services, account: AccountRow): Promise<number> {
  // Two batches of an account may move the same messages and conversations in different orders.
  const done = await retryUndone(() => services.db.transaction().execute((db) => workStored(services, db, account)))
  if (done > 0) services.live.publish(`whatsapp:${account.workspaceId}`, account.id)
  return done
}

/** Works on an account's webhooks until none waits. May run twice: everything it writes may be written again. */
export async function processEvents(
  services: Services,
  workspaceId: string,
  accountId: string,
  signal: AbortSignal,
): Promise<void> {
  const account = await accountById(services.db, workspaceId, accountId)
  if (!account) return
  while (!signal.aborted && (await workBatch(services, account)) === BATCH);
}
