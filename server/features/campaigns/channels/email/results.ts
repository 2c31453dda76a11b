/** What becomes of messages after a mail server accepted them: the one way in which any report is applied. */
import { sql } from 'kysely'
import type { Bounce } from '#server/engine/index.ts'
import { suppress, suppressBounced, unsubscribe } from '#server/features/contacts/index.ts'
import { stopIfBlocked } from '#server/features/gmail/index.ts'
import { noteReport } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { actOnRefusals } from './refusals.ts'
import { breakIfBad } from './settle.ts'

/** A report came before the outcome of its message was written: it is to be reported again in a moment. */
export class TooEarly extends Error {}

/** Sources of bounces that are emails. */
const RETURNED: ReadonlySet<string> = new Set(['imap', 'listener', 'gmail'])

/** Bounces of class soft in so many campaigns, over so many days, within so many: then the address is suppressed. */
const SOFT_CAMPAIGNS = 3
const SOFT_DAYS = 7
const SOFT_WITHIN_DAYS = 90

/**
 * Notes in the transaction `db` that a message bounced, once; `source`: the kind of what reported it. Of a Gmail message it is noted
 * beside it too, and Google's refusal of the account itself stops that. An address that does not exist is suppressed at once, one that
 * bounced for passing reasons in three campaigns over seven days too. A bounce of several recipients (an alias for many) counts with what
 * it says of the message's own, and else with its mildest word. Throws TooEarly.
 */
export async function noteBounce(
  db: Db,
  workspaceId: string,
  messageId: string,
  { bounces, at, source }: { bounces: Bounce[]; at: Date; source: string },
): Promise<void> {
  const message = await db
    .selectFrom('messages')
    .select(['address', 'state', 'contactId', 'campaignId'])
    .where('id', '=', messageId)
    .where('workspaceId', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst()
  if (message?.state === 'claimed') throw new TooEarly('its message is being sent')
  const address = message?.address.toLowerCase()
  const bounce =
    bounces.find(({ recipient, original }) => recipient === address || original === address) ??
    bounces.find((one) => one.class !== 'hard') ??
    bounces[0]
  if (!message || !bounce || !['sent', 'unconfirmed'].includes(message.state)) return
  await sql`
    update messages set state = 'bounced', reason = ${bounce.class}, response = ${bounce.response},
      sent_at = coalesce(sent_at, ${at}), due_at = null, bounced_at = ${at}, bounce_source = ${source}
    where id = ${messageId} and workspace_id = ${workspaceId}`.execute(db)
  await noteBesideGmail(db, workspaceId, messageId, { bounce, at })
  const { campaignId, contactId } = message
  if (bounce.class === 'soft') await suppressSoft(db, workspaceId, { contactId, campaignId, note: bounce.response })
  if (bounce.class === 'block' || bounce.class === 'content')
    await actOnRefusals(db, { workspaceId, id: campaignId }, [messageId], RETURNED.has(source) ? 'email' : 'webhook')
  if (bounce.class !== 'hard') return
  await suppress(db, workspaceId, {
    ...{ channel: 'email', address: message.address, key: message.address.toLowerCase() },
    ...{ reason: 'hard_bounce', note: bounce.response, campaignId },
  })
  await sql`update campaigns set hard = hard + 1
    where workspace_id = ${workspaceId} and id = ${campaignId} and state = 'sending'`.execute(db)
  await breakIfBad(db, { workspaceId, id: campaignId })
}

/** What a bounce changes of a message that left through a Gmail account; of others nothing. */
async function noteBesideGmail(
  db: Db,
  workspaceId: string,
  messageId: string,
  { bounce, at }: { bounce: Bounce; at: Date },
): Promise<void> {
  const noted = await sql<{ senderId: string }>`
    update gmail_messages set bounced_at = ${at}, bounce_text = ${bounce.response}
    where message_id = ${messageId} and workspace_id = ${workspaceId} returning sender_id`.execute(db)
  const { senderId } = noted.rows[0] ?? {}
  if (bounce.class === 'block' && senderId) await stopIfBlocked(db, workspaceId, senderId)
}

async function suppressSoft(
  db: Db,
  workspaceId: string,
  bounced: { contactId: string; campaignId: string; note: string },
): Promise<void> {
  const { rows } = await sql<{ isOver: boolean }>`
    select count(*) >= ${SOFT_CAMPAIGNS} and max(m.sent_at) - min(m.sent_at) >= make_interval(days => ${SOFT_DAYS}) as is_over
    from campaigns c join messages m on m.workspace_id = c.workspace_id and m.campaign_id = c.id and m.contact_id = ${bounced.contactId}
    where c.workspace_id = ${workspaceId} and m.state = 'bounced' and m.reason = 'soft'
      and m.sent_at > now() - make_interval(days => ${SOFT_WITHIN_DAYS})`.execute(db)
  if (rows[0]?.isOver) await suppressBounced(db, workspaceId, 'email', [bounced], 'soft_bounce')
}

/** Notes what a receiver passes on: somebody reported a message as unwanted, or asked for no more. They get no more email. */
export async function noteFeedback(
  db: Db,
  workspaceId: string,
  messageId: string,
  kind: 'complaint' | 'opt_out',
): Promise<void> {
  const message = await db
    .selectFrom('messages')
    .select(['address', 'campaignId'])
    .where('id', '=', messageId)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()
  if (!message) return
  const who = { address: message.address, key: message.address.toLowerCase(), campaignId: message.campaignId }
  // A complaint stays one: an unsubscribe does not replace it.
  if (kind === 'complaint') await suppress(db, workspaceId, { channel: 'email', reason: 'complaint', ...who })
  await unsubscribe(db, workspaceId, who)
  const isNew = await noteReport(db, workspaceId, messageId, kind === 'complaint' ? 'complaint' : 'unsubscribe')
  if (kind === 'opt_out' || !isNew) return
  const { campaignId } = message
  await sql`update campaigns set complained = complained + 1
    where workspace_id = ${workspaceId} and id = ${campaignId} and state = 'sending'`.execute(db)
  await breakIfBad(db, { workspaceId, id: campaignId })
}
