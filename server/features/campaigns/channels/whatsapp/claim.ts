import { sql } from 'kysely'
import { countryOf, roomOf } from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Claim, type Claimed, claimMessages } from '../../sending/claims.ts'
import type { Sending } from '../../sending/sending.ts'
import { whatsAppReach } from './audience.ts'
import { messageFor, type WhatsAppPlan } from './message.ts'
import type { NumberRow } from './number.ts'

/** Messages taken, with the row each of them was written down in before it is handed over. */
export interface Taken {
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
): Promise<Taken> {
  return sending.db.transaction().execute(async (db) => {
    const room = await roomOf(db, number, MARGIN_MINUTES)
    if (room === 0) return { claim: undefined, sent: new Map(), room }
    const claim = await claimMessages({ ...sending, db }, campaign, {
      reach: whatsAppReach(plan.template.category),
      limit: Math.min(limit, room ?? limit),
    })
    const sent: Taken['sent'] = claim ? await writeDown(db, campaign, number, plan, claim.messages) : new Map()
    return { claim, sent, room }
  })
}

/** One row per recipient: an earlier try is overwritten, and later statuses of that try find no row. */
async function writeDown(
  db: Db,
  campaign: { id: string },
  number: NumberRow,
  plan: WhatsAppPlan,
  messages: Claimed[],
): Promise<Taken['sent']> {
  if (messages.length === 0) return new Map()
  const ids = messages.map(({ id }) => id)
  await sql`delete from whatsapp_messages
    where workspace_id = ${number.workspaceId} and message_id = any(${ids}::bigint[])`.execute(db)
  const { rows } = await sql<{ id: string; messageId: string }>`
    insert into whatsapp_messages (workspace_id, account_id, conversation_id, person, direction, kind, text, status, campaign_id, message_id,
      template_name, category, country)
    select ${number.workspaceId}, ${number.id}, c.id, given.person, 'out', 'template', given.text, 'queued', ${campaign.id}, given.id,
      ${plan.template.name}, ${plan.template.category.toLowerCase()}, given.country
    from unnest(${ids}::bigint[], ${messages.map(({ phone, bsuid }) => phone?.slice(1) ?? bsuid ?? '')}::text[],
      ${messages.map((message) => textOf(plan, message))}::text[], ${messages.map(({ phone, bsuid }) => countryOf(phone ?? bsuid))}::text[])
      as given (id, person, text, country)
    left join whatsapp_conversations c on c.workspace_id = ${number.workspaceId} and c.account_id = ${number.id} and given.person in (c.wa_id, c.bsuid)
    returning id, message_id`.execute(db)
  const callbacks = new Map(rows.map((row) => [row.messageId, row.id]))
  return new Map(
    messages.map(({ id, phone, bsuid }) => [
      id,
      { callback: callbacks.get(id) ?? '', to: phone ? { to: phone } : { recipient: bsuid ?? '' } },
    ]),
  )
}

/** What the person will read; nothing where the message cannot be made, which is told when it is its turn. */
function textOf(plan: WhatsAppPlan, message: Claimed): string {
  try {
    return messageFor(plan, message).text
  } catch {
    return ''
  }
}

/** Forgets what was written down for messages that were not handed over after all. */
export async function forgetUnsent(db: Db, campaignId: string): Promise<void> {
  await sql`delete from whatsapp_messages w using messages m where w.campaign_id = ${campaignId} and w.status = 'queued'
    and m.workspace_id = w.workspace_id and m.id = w.message_id and m.state in ('queued', 'deferred', 'suppressed')`.execute(
    db,
  )
}
