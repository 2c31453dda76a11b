import { findCountry, insertQueued, type NumberRow, remainingRoom } from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Claim, type Claimed, claimMessages } from '../../sending/claims.ts'
import type { Sending } from '../../sending/sending.ts'
import { whatsAppReach } from './audience.ts'
import { messageFor, type WhatsAppPlan } from './message.ts'

/** Messages taken, with the row each of them was written down in before it is handed over. */
export interface TakenMessages {
  claim: Claim | undefined
  /** By the recipient's id: whom it goes to, and what goes along to Meta and comes back with every status. */
  sent: Map<string, { callback: string; to: { to: string } | { recipient: string } }>
  /** How many more people the portfolio may write to first; null: without a limit. */
  room: number | null
}

/** A message leaves after it is claimed: the rolling day is counted with some minutes more. */
const MARGIN_MINUTES = 10

/**
 * Takes up to `limit` due messages of a campaign and writes them down, as many as the portfolio has room for. All that is
 * sent through one portfolio counts one after the other, so that its limit is exact.
 */
export function takeMessages(
  sending: Pick<Sending, 'db' | 'worker' | 'home'>,
  campaign: { id: string; workspaceId: string; tellsOrigins: boolean },
  number: NumberRow,
  plan: WhatsAppPlan,
  limit: number,
): Promise<TakenMessages> {
  return sending.db.transaction().execute(async (db) => {
    const room = await remainingRoom(db, number, MARGIN_MINUTES)
    if (room === 0) return { claim: undefined, sent: new Map(), room }
    const claim = await claimMessages({ ...sending, db }, campaign, {
      reach: whatsAppReach(campaign.workspaceId, plan.template.category),
      limit: Math.min(limit, room ?? limit),
    })
    const sent: TakenMessages['sent'] = claim ? await writeDown(db, campaign, number, plan, claim.messages) : new Map()
    return { claim, sent, room }
  })
}

/** Writes each recipient's message down before it is handed over. */
async function writeDown(
  db: Db,
  campaign: { id: string },
  number: NumberRow,
  plan: WhatsAppPlan,
  messages: Claimed[],
): Promise<TakenMessages['sent']> {
  if (messages.length === 0) return new Map()
  const callbacks = await insertQueued(
    db,
    number,
    campaign.id,
    plan.template,
    messages.map((message) => ({
      messageId: message.id,
      person: message.phone?.slice(1) ?? message.bsuid ?? '',
      text: previewText(plan, message),
      country: findCountry(message.phone ?? message.bsuid),
    })),
  )
  return new Map(
    messages.map(({ id, phone, bsuid }) => [
      id,
      { callback: callbacks.get(id) ?? '', to: phone ? { to: phone } : { recipient: bsuid ?? '' } },
    ]),
  )
}

/** What the person will read; nothing where the message cannot be made, which is told when it is its turn. */
function previewText(plan: WhatsAppPlan, message: Claimed): string {
  try {
    return messageFor(plan, message).text
  } catch {
    return ''
  }
}
