import { sql } from 'kysely'
import type { z } from 'zod'
import type { Services } from '#server/services.ts'
import { type AccountRow, accountById } from '../accounts/store.ts'
import { type Outgoing, sendTo } from '../inbox/send.ts'
import { type ConversationRow, conversationById } from '../inbox/store.ts'
import type { answerJob } from '../queues.ts'

type Given = z.output<typeof answerJob.payload>

const confirmation = ({ displayPhone, verifiedName }: AccountRow, wish: 'stop' | 'start') =>
  wish === 'stop'
    ? `You will get no more promotions from ${verifiedName || displayPhone} here. Write START if you change your mind.`
    : `You will hear from ${verifiedName || displayPhone} again. Write STOP at any time to end it.`

const text = (body: string, replyTo: string): Outgoing => ({
  kind: 'text',
  text: body,
  message: { type: 'text', text: { body } },
  content: { replyTo },
})

/** Whether something answered this message already: a job may run twice. */
async function isAnswered({ db }: Services, conversation: ConversationRow, messageId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from whatsapp_messages where conversation_id = ${conversation.id} and direction = 'out'
    and content ->> 'replyTo' = ${messageId} limit 1`.execute(db)
  return rows.length > 0
}

/** Answers one message of a person by itself: confirms once that he stopped. */
export async function answerMessage(
  services: Services,
  { workspaceId, conversationId, messageId, wish }: Given,
): Promise<void> {
  const conversation = await conversationById(services.db, workspaceId, conversationId)
  if (!conversation || conversation.windowEndsAt === null || !services.whatsapp) return
  const account = await accountById(services.db, workspaceId, conversation.accountId)
  if (!account || (await isAnswered(services, conversation, messageId))) return
  if (wish) await sendTo(services, account, conversation, text(confirmation(account, wish), messageId))
  services.live.publish(`whatsapp:${workspaceId}`, account.id)
}
