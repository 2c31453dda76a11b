import { setTimeout as wait } from 'node:timers/promises'
import { createTokens, looksLikeAggregate, type Tokens } from '#server/engine/index.ts'
import { TooEarly } from '#server/features/campaigns/index.ts'
import { findCoveringDomain, takeAggregateReport } from '#server/features/senders/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Services } from '#server/services.ts'
import { openSecret } from '../bounces.ts'
import { applyFeedback } from '../listener/apply.ts'
import { findMarks, type ReportReader, UnreadableReport } from '../reports.ts'
import { MAX_HEAD } from '../sizes.ts'
import { noteLook, noteReceived, readMailbox, type SourceRow, type StoredMailbox, takeMailboxes } from '../store.ts'
import { MailboxProblem } from './connection.ts'
import { AT_ONCE, lookInto, removeFrom, stopLooks } from './mailboxes.ts'

type ReadingServices = Pick<Services, 'db' | 'config' | 'log' | 'nameServers'>

const EVERY_SECONDS = 60
/** After trouble, so that a wrong password is not tried too often. */
const AFTER_TROUBLE_SECONDS = 600

/** Looks into the mailboxes whose time has come, several at once and one of a workspace: none waits for a slow server of another. */
export async function readMailboxes(
  services: ReadingServices,
  { reader, intervalMs }: { reader: ReportReader; intervalMs: number },
  signal: AbortSignal,
): Promise<void> {
  const looks = new Map<string, Promise<void>>()
  const start = (source: SourceRow) =>
    readOne(services, reader, source)
      .catch((error) => {
        if (!signal.aborted) services.log.error({ err: error, source: source.id }, 'a mailbox was not read')
      })
      .finally(() => looks.delete(source.workspaceId))
  do {
    for (const source of await takeMailboxes(services.db, AT_ONCE - looks.size, [...looks.keys()]))
      looks.set(source.workspaceId, start(source))
    // More may become due meanwhile.
    const later = wait(intervalMs, undefined, { ref: false, signal }).catch(() => undefined)
    if (looks.size > 0) await Promise.race([...looks.values(), later])
  } while (looks.size > 0 && !signal.aborted)
  // What a look did not finish is read again.
  if (looks.size > 0) await stopLooks()
  await Promise.all(looks.values())
}

async function readOne(services: ReadingServices, reader: ReportReader, source: SourceRow): Promise<void> {
  const { db, config } = services
  const mailbox = readMailbox(source)
  const password = openSecret(config, source)
  let trouble = ''
  let cursor: string | undefined
  try {
    if (password === undefined) throw new MailboxProblem('The stored password can no longer be read. Add it again.')
    cursor = await readNew(services, reader, { source, mailbox, password })
  } catch (error) {
    if (!(error instanceof MailboxProblem)) throw error
    trouble = error.message
  }
  await noteLook(db, source, { trouble, cursor, seconds: trouble ? AFTER_TROUBLE_SECONDS : EVERY_SECONDS })
}

/**
 * Reads on from where the last look stood, applies each report and deletes what was applied; what is not about our emails stays where it
 * is. A process that is killed reads it again, which changes nothing. Returns where it stands now. Throws MailboxProblem.
 */
async function readNew(
  services: ReadingServices,
  reader: ReportReader,
  { source, mailbox, password }: { source: SourceRow; mailbox: StoredMailbox; password: string },
): Promise<string | undefined> {
  const { config, log } = services
  const tokens = createTokens(deriveKey(config.secretKey, 'message tokens'))
  const owner = { workspaceId: source.workspaceId, mailbox, password }
  const look = await lookInto(config, owner, mailbox.cursor)
  const done: number[] = []
  let early: number | undefined
  for (const { uid, raw } of look.found) {
    try {
      if (await takeIn(services, reader, { tokens, source, raw: Buffer.from(raw) })) done.push(uid)
    } catch (error) {
      if (!(error instanceof TooEarly)) throw error
      log.debug({ source: source.id }, 'a bounce is read again later')
      early = uid
      break
    }
  }
  if (done.length > 0) await removeFrom(config, owner, { cursor: look.cursor, uids: done })
  return early === undefined ? look.cursor : `${look.cursor.split(':')[0]}:${early - 1}`
}

interface MailboxMessage {
  tokens: Tokens
  source: SourceRow
  /** Its beginning; of what looks like a DMARC report everything. */
  raw: Buffer
}

/** Applies one message of the mailbox. Returns whether it was about an email or a domain of the workspace, so that it is done with. */
async function takeIn(
  services: ReadingServices,
  reader: ReportReader,
  { tokens, source, raw }: MailboxMessage,
): Promise<boolean> {
  const head = raw.subarray(0, MAX_HEAD).toString('latin1')
  const marks = findMarks(tokens, head)
  try {
    if (marks.length === 0) return looksLikeAggregate(head) && (await takeAggregate(services, reader, source, raw))
    const report = await reader.read(raw, source.workspaceId)
    // A person's reply stays for a person.
    if (report.kind === 'none' || report.kind === 'auto_reply') return false
    return await services.db.transaction().execute((db) => applyFeedback(db, source, report, marks))
  } catch (error) {
    if (error instanceof UnreadableReport) return false
    throw error
  }
}

/** Stores a DMARC report about a domain of the workspace. Throws UnreadableReport. */
async function takeAggregate(
  { db, nameServers }: ReadingServices,
  reader: ReportReader,
  source: SourceRow,
  raw: Buffer,
): Promise<boolean> {
  const report = await reader.readAggregate(raw, source.workspaceId)
  const domain = report && (await findCoveringDomain(db, source.workspaceId, report.domain))
  if (!report || !domain) return false
  const author = await reader.findAuthor(raw, source.workspaceId, { servers: nameServers.servers })
  return db.transaction().execute(async (db) => {
    const isTaken = await takeAggregateReport(db, domain, report, author)
    if (isTaken) await noteReceived(db, source)
    return isTaken
  })
}
