import type { Sender } from '#contracts/senders/senders.ts'
import type { RampDays } from '#server/engine/index.ts'
import { audit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import type { SenderContext } from '../sender-kind.ts'
import { showSender } from '../senders.ts'
import { findSender } from '../trying.ts'
import { newPlan } from './plan.ts'

/** Starts a plan, or another one in its place: day 1 begins with the next email. `days`: null stops it. Throws Refusal 404 or 409. */
export async function setPlan(
  services: SenderContext,
  workspaceId: string,
  id: string,
  days: RampDays | null,
): Promise<Sender> {
  const row = await findSender(services, workspaceId, id)
  if (row.kind !== 'smtp')
    throw conflict('not_a_mail_server', 'A Gmail account has a slow start of its own: change it with the account.')
  await services.db.transaction().execute(async (db) => {
    await db
      .updateTable('senders')
      .set(newPlan(days))
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .execute()
    await audit(db, { action: 'sender_changed', subject: row.name, workspaceId, details: { changed: ['ramp_plan'] } })
  })
  services.live.publish('senders', workspaceId)
  return showSender(services, workspaceId, id)
}
