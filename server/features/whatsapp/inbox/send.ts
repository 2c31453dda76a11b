import { sql } from 'kysely'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { meaningOf } from '#server/adapters/whatsapp/codes.ts'
import { WhatsAppProblem } from '#server/adapters/whatsapp/problem.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Context } from '../accounts/accounts.ts'
import { needApi, needKeys } from '../accounts/keys.ts'
import { type AccountRow, noteState } from '../accounts/store.ts'
import { optOut } from '../people.ts'
import type { ConversationRow } from './store.ts'

/** What is said to one person: as Meta takes it, and as it is shown. */
export interface Outgoing {
  kind: 'text' | 'image' | 'video' | 'audio' | 'document' | 'interactive' | 'template'
  text: string
  /** The part of Meta's message besides whom it goes to: `{ type: 'text', text: { body } }`. */
  message: Record<string, unknown>
  content?: { media?: { id: string; mimeType: string; fileName: string }; buttons?: string[]; replyTo?: string }
  templateName?: string
  category?: string
  authorId?: string
  automationId?: string
}

export const countryOf = (phone: string | null): string | null =>
  (phone && parsePhoneNumberFromString(phone)?.country) || null

/** Writes down a message before it is handed over: its id goes with it to Meta and comes back with every status. */
async function writeDown(db: Db, conversation: ConversationRow, outgoing: Outgoing): Promise<string> {
  const { id } = await db
    .insertInto('whatsappMessages')
    .values({
      workspaceId: conversation.workspaceId,
      accountId: conversation.accountId,
      conversationId: conversation.id,
      person: conversation.waId ?? conversation.bsuid ?? '',
      direction: 'out',
      kind: outgoing.kind,
      text: outgoing.text,
      content: JSON.stringify(outgoing.content ?? {}),
      status: 'queued',
      authorId: outgoing.authorId ?? null,
      automationId: outgoing.automationId ?? null,
      templateName: outgoing.templateName ?? null,
      category: outgoing.category ?? 'service',
      country: countryOf(conversation.phone),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`update whatsapp_conversations set preview = ${outgoing.text.slice(0, 140)}, last_at = greatest(last_at, now()),
    changed_at = clock_timestamp() where id = ${conversation.id}`.execute(db)
  return id
}

/** What a problem makes of the message; what it says about the person or the number is heeded too. */
async function noteProblem(
  db: Db,
  account: AccountRow,
  conversation: Pick<ConversationRow, 'phone'>,
  messageId: string,
  problem: WhatsAppProblem,
): Promise<void> {
  const isLost = problem.kind === 'lost'
  const { action, text } = meaningOf(problem.code)
  const words =
    problem.kind === 'refused' ? `${text}${problem.details ? ` Meta says: ${problem.details}` : ''}` : problem.message
  // A status that came meanwhile knows more than a lost answer.
  await db
    .updateTable('whatsappMessages')
    .set({
      status: isLost ? 'unconfirmed' : 'failed',
      errorCode: problem.kind === 'refused' ? problem.code : null,
      errorText: words,
      ...(!isLost && { failedAt: sql<Date>`now()` }),
    })
    .where('id', '=', messageId)
    .where('status', '=', 'queued')
    .execute()
  if (problem.kind !== 'refused') return
  if (action === 'suppress')
    await optOut(db, account.workspaceId, conversation.phone, `Stopped promotions in WhatsApp (${problem.code}).`)
  if (action === 'reconnect') await noteState(db, account.workspaceId, account.id, 'reconnect', text)
  if ([131048, 131031, 368].includes(problem.code))
    await noteState(db, account.workspaceId, account.id, 'restricted', text)
}

/**
 * Hands one message to Meta. It is in the conversation in any case, with what became of it: taken, failed and why, or
 * unconfirmed when the answer was lost; its webhook settles that. Answers its id.
 */
export async function sendTo(
  services: Context,
  account: AccountRow,
  conversation: ConversationRow,
  outgoing: Outgoing,
): Promise<string> {
  const { db } = services
  const api = needApi(services)
  const keys = needKeys(services.config, account)
  const id = await writeDown(db, conversation, outgoing)
  const to = conversation.phone ? { to: conversation.phone } : { recipient: conversation.bsuid ?? conversation.waId }
  try {
    const accepted = await api.send(keys, account.phoneNumberId, {
      recipient_type: 'individual',
      ...to,
      ...outgoing.message,
      biz_opaque_callback_data: id,
    })
    await sql`update whatsapp_messages set wamid = coalesce(wamid, ${accepted.wamid}),
      status = case when status = 'queued' then 'accepted' else status end where id = ${id}`.execute(db)
  } catch (error) {
    if (!(error instanceof WhatsAppProblem)) throw error
    await noteProblem(db, account, conversation, id, error)
  }
  await sql`update whatsapp_conversations set changed_at = clock_timestamp() where id = ${conversation.id}`.execute(db)
  return id
}
