import { sql } from 'kysely'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { findCodeMeaning } from '#server/adapters/whatsapp/codes.ts'
import { WhatsAppProblem } from '#server/adapters/whatsapp/problem.ts'
import { type Reservation, reserveQuota, reserveQuotaUpTo } from '#server/features/billing/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { timeNow } from '#server/platform/db/spread.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import { needApi, needKeys } from '../numbers/keys.ts'
import type { WhatsAppServices } from '../numbers/numbers.ts'
import { mayReach } from '../numbers/portfolio.ts'
import { type AccountRow, noteState } from '../numbers/store.ts'
import { optOut } from '../people.ts'
import type { ConversationRow } from './store.ts'

/** Whom a message goes to: a conversation, or a person there is none with yet (`id` null). */
export type Receiver = Pick<ConversationRow, 'workspaceId' | 'accountId' | 'waId' | 'bsuid' | 'phone'> & {
  id: string | null
}

/** What is said to one person: as Meta takes it, and as it is shown. */
export interface Outgoing {
  kind: 'text' | 'image' | 'video' | 'audio' | 'document' | 'interactive' | 'template'
  text: string
  /** The part of Meta's message besides whom it goes to: `{ type: 'text', text: { body } }`. */
  message: Record<string, unknown>
  content?: {
    media?: { id: string; mimeType: string; fileName: string }
    buttons?: string[]
    replyTo?: string
    own?: boolean
  }
  templateName?: string
  category?: string
  authorId?: string
  automationId?: string
  /** It writes first, outside a window: the portfolio's limit of people a day holds for it. */
  isFirst?: boolean
  /** It goes out even where the month's messages are used up. */
  isOwed?: boolean
}

/** ISO 3166 country of a number in international form, or of a scoped id, which begins with it. */
export const findCountry = (person: string | null): string | null =>
  (person?.startsWith('+') ? parsePhoneNumberFromString(person)?.country : /^([A-Z]{2})\./.exec(person ?? '')?.[1]) ??
  null

/**
 * Writes down a message before it is handed over: its id goes with it to Meta and comes back with every status. It is one
 * of the month's messages from here on. Throws Refusal 402.
 */
function takeDown(services: WhatsAppServices, account: AccountRow, conversation: Receiver, outgoing: Outgoing) {
  const { workspaceId } = conversation
  const person = conversation.waId ?? conversation.bsuid ?? ''
  return services.db.transaction().execute(async (db) => {
    if (outgoing.isFirst && !(await mayReach(db, account, person)))
      throw conflict(
        'messaging_limit',
        `The messaging limit is reached: ${account.displayPhone} and the other numbers of its portfolio may write first to ${account.dailyLimit?.toLocaleString('en-US')} people in 24 hours. Nothing was sent; try again later.`,
      )
    const take = outgoing.isOwed ? reserveQuotaUpTo : reserveQuota
    const reserved = await take(services, db, workspaceId, 'whatsappMessages', 1)
    return { id: await writeDown(db, conversation, outgoing), reserved }
  })
}

async function writeDown(db: Db, conversation: Receiver, outgoing: Outgoing): Promise<string> {
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
      country: findCountry(conversation.phone ?? conversation.bsuid),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`update whatsapp_conversations set preview = ${outgoing.text.slice(0, 140)}, last_at = greatest(last_at, now()),
    changed_at = ${timeNow()} where workspace_id = ${conversation.workspaceId} and id = ${conversation.id}`.execute(db)
  return id
}

/** What a problem makes of the message; what it says about the person or the number is heeded too. */
async function noteProblem(
  db: Db,
  account: AccountRow,
  conversation: Pick<ConversationRow, 'phone' | 'bsuid'>,
  { id, reserved }: { id: string; reserved: Reservation },
  problem: WhatsAppProblem,
): Promise<void> {
  const isLost = problem.kind === 'lost'
  const { action, text, ofTemplate } = findCodeMeaning(problem.code)
  const words =
    problem.kind === 'refused' ? `${text}${problem.details ? ` Meta says: ${problem.details}` : ''}` : problem.message
  await db.transaction().execute(async (db) => {
    // A status that came meanwhile knows more than a lost answer.
    const { numUpdatedRows } = await db
      .updateTable('whatsappMessages')
      .set({
        status: isLost ? 'unconfirmed' : 'failed',
        errorCode: problem.kind === 'refused' ? problem.code : null,
        errorText: words,
        ...(!isLost && { failedAt: sql<Date>`now()` }),
      })
      .where('workspaceId', '=', account.workspaceId)
      .where('id', '=', id)
      .where('status', '=', 'queued')
      .executeTakeFirst()
    if (numUpdatedRows > 0n && !isLost) await reserved.settle(db, 0)
  })
  if (problem.kind !== 'refused') return
  if (action === 'suppress')
    await optOut(
      db,
      account.workspaceId,
      conversation.phone ?? conversation.bsuid,
      `Stopped promotions in WhatsApp (${problem.code}).`,
    )
  if (action === 'reconnect') await noteState(db, account.workspaceId, account.id, 'reconnect', text)
  if ((action === 'stop' || action === 'pause') && !ofTemplate)
    await noteState(db, account.workspaceId, account.id, 'restricted', text)
}

/**
 * Hands one message to Meta. It is in the conversation in any case, with what became of it: taken, failed and why, or
 * unconfirmed when the answer was lost; its webhook settles that. Returns its id. Throws Refusal 402, 409.
 */
export async function sendTo(
  services: WhatsAppServices,
  account: AccountRow,
  conversation: Receiver,
  outgoing: Outgoing,
): Promise<string> {
  const { db } = services
  const api = needApi(services)
  const keys = needKeys(services.config, account)
  const taken = await takeDown(services, account, conversation, outgoing)
  const { id } = taken
  const to = conversation.phone ? { to: conversation.phone } : { recipient: conversation.bsuid ?? conversation.waId }
  try {
    const accepted = await api.send(keys, account.phoneNumberId, {
      recipient_type: 'individual',
      ...to,
      ...outgoing.message,
      biz_opaque_callback_data: id,
    })
    await sql`update whatsapp_messages set wamid = coalesce(wamid, ${accepted.wamid}),
      status = case when status = 'queued' then 'accepted' else status end where workspace_id = ${account.workspaceId} and id = ${id}`.execute(
      db,
    )
  } catch (error) {
    if (!(error instanceof WhatsAppProblem)) throw error
    await noteProblem(db, account, conversation, taken, error)
  }
  await sql`update whatsapp_conversations set changed_at = ${timeNow()} where workspace_id = ${account.workspaceId} and id = ${conversation.id}`.execute(
    db,
  )
  return id
}
