import { type Mailbox, type MailHeads, ReadProblem, readTrouble } from '#server/adapters/google/mailbox.ts'
import {
  createTokens,
  isAutomatic,
  looksBounced,
  looksLikeFeedback,
  readReport,
  type Tokens,
} from '#server/engine/index.ts'
import {
  isAnyMailboxDue,
  noteRead,
  noteSignIn,
  noteUnread,
  openMailbox,
  type ReadableAccount,
  takeMailboxes,
} from '#server/features/gmail/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Services } from '#server/services.ts'
import { noteFeedback } from '../../email/results.ts'
import * as store from './store.ts'

const EVERY_SECONDS = 60
const TURN_SECONDS = 300
const AT_ONCE = 5
const TROUBLE = 'The mailbox could not be read. It is retried automatically. Nothing is lost.'

/** Whether the turn of any mailbox has come. */
export const isAnyDue = isAnyMailboxDue(EVERY_SECONDS)

/** Looks into the mailboxes that may be read and whose time has come, for answers to campaigns and for bounces. */
export async function syncMailboxes(services: Services): Promise<void> {
  if (!services.gmail) return
  const accounts = await takeMailboxes(services.db, EVERY_SECONDS, TURN_SECONDS, AT_ONCE)
  await Promise.all(accounts.map((account) => readOne(services, account)))
}

async function readOne(services: Services, account: ReadableAccount): Promise<void> {
  const { db, log } = services
  const { senderId, workspaceId } = account
  try {
    const mailbox = await openMailbox(services, db, workspaceId, senderId)
    try {
      await noteRead(db, senderId, await readNew(services, account, mailbox))
    } finally {
      await mailbox.close()
    }
    await noteSignIn(db, workspaceId, senderId, undefined)
  } catch (error) {
    const text = readTrouble(error)
    const refused = error instanceof ReadProblem && error.kind === 'password'
    if (text === undefined) log.error({ err: error, sender: senderId }, 'a mailbox could not be read')
    await noteUnread(db, account, text ?? TROUBLE, refused)
    if (refused) await noteSignIn(db, workspaceId, senderId, text)
  }
}

/**
 * Reads on from where it stood. Where it never was read, from now on; but who was written to before reading was allowed
 * may have answered already. Returns where it stands now.
 */
async function readNew(services: Services, account: ReadableAccount, mailbox: Mailbox): Promise<string> {
  const isFirst = account.cursor === null
  if (isFirst && !(await store.hasSent(services.db, account))) return mailbox.newest()
  const tokens = createTokens(deriveKey(services.config.secretKey, 'message tokens'))
  // Google keeps about a week of history, and may number messages anew: then what came in lately is looked through as a
  // whole. Nothing is counted twice, because every message keeps its first answer and its one return.
  const lately = async () => ({ cursor: await mailbox.newest(), ids: await mailbox.recent() })
  const added = isFirst
    ? await lately()
    : await mailbox.addedSince(account.cursor ?? '').catch((error) => {
        if (error instanceof ReadProblem && error.kind === 'gone') return lately()
        throw error
      })
  // Not one inside the other: a mailbox handles one request at a time.
  for await (const heads of mailbox.heads(added.ids)) await takeIn(services, account, mailbox, tokens, heads)
  return added.cursor
}

const IGNORED_LABELS = new Set(['DRAFT', 'TRASH', 'SPAM'])

/** One message of the mailbox: ours as it was sent, an answer, a bounce, or none of our business. */
async function takeIn(
  { db }: Services,
  account: ReadableAccount,
  mailbox: Mailbox,
  tokens: Tokens,
  heads: MailHeads,
): Promise<void> {
  const { headers, threadId, labelIds } = heads
  const { workspaceId } = account
  if (labelIds.includes('SENT')) {
    const id = verifyMessageId(tokens, headers.get('x-postlark-id') ?? '')
    const seen = { rfcId: headers.get('message-id') ?? '', remoteId: heads.remoteId, threadId }
    if (id) await store.noteSeen(db, workspaceId, id, seen)
    return
  }
  if (labelIds.some((label) => IGNORED_LABELS.has(label))) return
  const isReport = looksBounced(headers) || looksLikeFeedback(headers)
  const rfcIds = `${headers.get('in-reply-to') ?? ''} ${headers.get('references') ?? ''}`.match(/<[^<>\s]+>/g) ?? []
  const named = rfcIds.flatMap((one) => verifyMessageId(tokens, one.slice(1, one.indexOf('@'))) ?? [])
  const raw = isReport ? await mailbox.raw(heads.id) : undefined
  // A bounce names what it is about inside: in the headers it brings back.
  const inside = raw ? findMessageIds(tokens, raw) : []
  const about = await store.messageAbout(db, account, { ids: [...inside, ...named], rfcIds, threadId })
  if (!about) return
  const at = new Date(heads.at)
  const report = raw
    ? await readReport(raw)
    : { kind: isAutomatic(headers) ? ('auto_reply' as const) : ('none' as const) }
  if (report.kind === 'bounce') await store.noteReturn(db, workspaceId, about, { bounces: report.bounces, at })
  else if (report.kind === 'complaint' || report.kind === 'opt_out') {
    const { kind } = report
    // Anybody can write such a report: it counts where it brings back our own mark of the message.
    if (inside.includes(about)) await db.transaction().execute((db) => noteFeedback(db, workspaceId, about, kind))
  } else if (report.kind === 'none') await store.noteReply(db, workspaceId, about, at)
}

function verifyMessageId(tokens: Tokens, token: string): string | undefined {
  const content = tokens.verify(token.trim())
  return content?.purpose === 'message' ? content.recipientId : undefined
}

const findMessageIds = (tokens: Tokens, raw: Buffer): string[] =>
  [...raw.toString('latin1').matchAll(/^X-Postlark-Id:\s*([\w-]+)/gim)].flatMap(
    ([, token = '']) => verifyMessageId(tokens, token) ?? [],
  )
