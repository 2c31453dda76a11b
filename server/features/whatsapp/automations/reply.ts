import { sql } from 'kysely'
import type { z } from 'zod'
import { isWorkspaceOpen } from '#server/features/accounts/index.ts'
import { remainingQuota } from '#server/features/billing/index.ts'
import { timeNow } from '#server/platform/db/spread.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { type Outgoing, sendTo } from '../inbox/send.ts'
import { type ConversationRow, conversationById, insertNote } from '../inbox/store.ts'
import { accountById } from '../numbers/store.ts'
import type { automaticReplyJob } from '../queues.ts'
import { saveFlowAnswers } from './answers-store.ts'
import { buildConfirmation } from './confirmations.ts'
import { type Decision, decide } from './engine.ts'
import type { FlowState, Saying } from './flow.ts'
import { activeAutomations, knownContact, recentReplies } from './store.ts'

type ReplyPayload = z.output<typeof automaticReplyJob.payload>

/** A saying as Meta takes it: plain text, up to three buttons, or a list of up to ten. */
function toOutgoing({ text, buttons }: Saying, replyTo: string, automationId: string | null): Outgoing {
  const content = { replyTo, ...(buttons.length > 0 && { buttons }) }
  const common = { text, content, ...(automationId && { automationId }) }
  if (buttons.length === 0) return { ...common, kind: 'text', message: { type: 'text', text: { body: text } } }
  const rows = buttons.map((title, at) => ({ id: `a${at}`, title }))
  const action =
    buttons.length <= 3
      ? { buttons: rows.map((reply) => ({ type: 'reply', reply })) }
      : { button: 'Choose', sections: [{ title: 'Choose', rows }] }
  const interactive = { type: buttons.length <= 3 ? 'button' : 'list', body: { text }, action }
  return { ...common, kind: 'interactive', message: { type: 'interactive', interactive } }
}

/** What is decided, and what was said. */
interface Decided extends Decision {
  said: string
}

interface StoredFlow {
  flow: FlowState | null
  /** The last message that was looked at: a job that runs twice replies once. */
  handled: string
}

/** Decides the reply and stores the decision with the conversation locked; undefined where that was done before. */
function decideFor(
  services: Services,
  conversation: ConversationRow,
  given: ReplyPayload,
): Promise<Decided | undefined> {
  const { workspaceId, messageId, wish } = given
  return services.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ flow: StoredFlow | null; isHeld: boolean; profileName: string }>`
      select flow, coalesce(held_until > now(), false) as is_held, profile_name from whatsapp_conversations
      where workspace_id = ${workspaceId} and id = ${conversation.id} for update`.execute(db)
    const message = await db
      .selectFrom('whatsappMessages')
      .where('id', '=', messageId)
      .where('workspaceId', '=', workspaceId)
      .select(['text', 'content', 'at'])
      .executeTakeFirst()
    const [row] = rows
    if (!row || !message || (row.flow && BigInt(row.flow.handled) >= BigInt(messageId))) return undefined
    const earlier =
      await sql`select 1 from whatsapp_messages where workspace_id = ${workspaceId} and conversation_id = ${conversation.id} and direction = 'in'
      and id <> ${messageId} and at <= ${message.at} and kind <> 'system' limit 1`.execute(db)
    const { payload = '' } = message.content as { payload?: string }
    const decision = wish
      ? { automation: null, says: [], flow: null, fields: {}, handOver: false, why: '' }
      : decide(await activeAutomations(db, workspaceId, conversation.accountId), {
          text: message.text,
          payload,
          at: message.at,
          contact: await knownContact(db, workspaceId, conversation.contactId),
          profileName: row.profileName,
          isFirst: earlier.rows.length === 0,
          isHeld: row.isHeld,
          flow: row.flow?.flow ?? null,
          recent: await recentReplies(db, workspaceId, conversation.id),
        })
    const stored: StoredFlow = { flow: decision.flow, handled: messageId }
    await sql`update whatsapp_conversations set flow = ${JSON.stringify(stored)}::jsonb
      ${decision.handOver ? sql`, held_until = now() + interval '24 hours', state = 'open', changed_at = ${timeNow()}` : sql``}
      where workspace_id = ${workspaceId} and id = ${conversation.id}`.execute(db)
    return { ...decision, said: message.text || payload }
  })
}

/**
 * Replies to one message of a person automatically: confirms an opt-out or its end once, or lets the automations reply.
 * At most once for each message, whatever happens to the process.
 */
export async function replyToMessage(services: Services, given: ReplyPayload): Promise<void> {
  const { workspaceId, conversationId, messageId, wish } = given
  const conversation = await conversationById(services.db, workspaceId, conversationId)
  if (!conversation || conversation.windowEndsAt === null || !services.whatsapp) return
  const account = await accountById(services.db, workspaceId, conversation.accountId)
  if (!account || account.state === 'reconnect') return
  // Nothing leaves a suspended account, not even the confirmation of an opt-out; the opt-out itself is stored.
  if (!(await isWorkspaceOpen(services.db, workspaceId))) return
  const decision = await decideFor(services, conversation, given)
  if (!decision) return
  const missed = await saveFlowAnswers(services.db, workspaceId, conversation, decision.fields)
  if (missed) await insertNote(services.db, conversation, missed, null)
  const name = account.verifiedName || account.displayPhone
  const says = wish
    ? [{ text: buildConfirmation(wish, name, decision.said, conversation.phone), buttons: [] }]
    : decision.says
  // The last word to a person who stops is owed to them, whatever the plan says; of the others all are said or none.
  const isOwed = Boolean(wish)
  if (!isOwed && (await remainingQuota(services.db, workspaceId, 'whatsappMessages')).left < says.length) return
  try {
    for (const saying of says) {
      const outgoing = toOutgoing(saying, messageId, decision.automation?.id ?? null)
      await sendTo(services, account, conversation, { ...outgoing, isOwed })
    }
  } catch (error) {
    // Others used up the rest meanwhile.
    if (!(error instanceof Refusal && error.status === 402)) throw error
  }
  services.live.publish(`whatsapp:${workspaceId}`, account.id)
}
