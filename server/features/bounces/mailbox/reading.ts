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
/** Where more is to be read: mailboxes of others that are due go first. */
const WITH_MORE_SECONDS = 5
/** After trouble, so that a wrong password is not tried too often. */
const AFTER_TROUBLE_SECONDS = 600

/** Workspaces whose turns are remembered. */
const MAX_TURNS = 1_000

/**
 * Looks into the mailboxes whose time has come, several at once and one of a workspace, and workspaces take turns: none waits for all the
 * slow servers of another.
 */
export async function readMailboxes(
  services: ReadingServices,
  { reader, intervalMs }: { reader: ReportReader; intervalMs: number },
  signal: AbortSignal,
): Promise<void> {
  const looks = new Map<string, Promise<void>>()
  const had = new Set<string>()
  const start = (source: SourceRow) =>
    readOne(services, { reader, source, signal })
      .catch((error) => {
        if (!signal.aborted) services.log.error({ err: error, source: source.id }, 'a mailbox was not read')
      })
      .finally(() => looks.delete(source.workspaceId))
  do {
    const busy = [...looks.keys()]
    for (const source of await takeMailboxes(services.db, AT_ONCE - looks.size, { busy, had: [...had] })) {
      had.delete(source.workspaceId)
      had.add(source.workspaceId)
      looks.set(source.workspaceId, start(source))
    }
    for (const workspaceId of [...had].slice(0, -MAX_TURNS)) had.delete(workspaceId)
    // More may become due meanwhile.
    const later = wait(intervalMs, undefined, { ref: false, signal }).catch(() => undefined)
    if (looks.size > 0) await Promise.race([...looks.values(), later])
  } while (looks.size > 0 && !signal.aborted)
  // What a look did not finish is read again.
  if (looks.size > 0) await stopLooks()
  await Promise.all(looks.values())
}

interface Reading {
  reader: ReportReader
  source: SourceRow
  /** Aborts when the process stops. */
  signal: AbortSignal
}

async function readOne(services: ReadingServices, reading: Reading): Promise<void> {
  const { source } = reading
  const mailbox = readMailbox(source)
  try {
    const password = openSecret(services.config, source)
    if (password === undefined) throw new MailboxProblem('The stored password can no longer be read. Add it again.')
    const { cursor, hasMore } = await readNew(services, reading, { mailbox, password })
    const seconds = hasMore ? WITH_MORE_SECONDS : EVERY_SECONDS
    await noteLook(services.db, source, { trouble: '', cursor, seconds })
  } catch (error) {
    if (!(error instanceof MailboxProblem)) throw error
    await noteLook(services.db, source, { trouble: error.message, cursor: undefined, seconds: AFTER_TROUBLE_SECONDS })
  }
}

/**
 * Reads on from where the last look stood, applies each report and deletes what was applied; what is not about our emails stays where it
 * is. A process that stops reads it again, which changes nothing. Returns where it stands now. Throws MailboxProblem.
 */
async function readNew(
  services: ReadingServices,
  { reader, source, signal }: Reading,
  { mailbox, password }: { mailbox: StoredMailbox; password: string },
): Promise<{ cursor: string; hasMore: boolean }> {
  const { config, log } = services
  const tokens = createTokens(deriveKey(config.secretKey, 'message tokens'))
  const owner = { workspaceId: source.workspaceId, mailbox, password, signal }
  const { cursor, found, hasMore } = await lookInto(config, owner, mailbox.cursor)
  const done: number[] = []
  let early: number | undefined
  for (const { uid, raw } of found) {
    signal.throwIfAborted()
    try {
      if (await takeIn(services, reader, { tokens, source, raw: Buffer.from(raw) })) done.push(uid)
    } catch (error) {
      if (!(error instanceof TooEarly)) throw error
      log.debug({ source: source.id }, 'a bounce is read again later')
      early = uid
      break
    }
  }
  if (done.length > 0) await removeFrom(config, owner, { cursor, uids: done })
  if (early === undefined) return { cursor, hasMore }
  return { cursor: `${cursor.split(':')[0]}:${early - 1}`, hasMore: false }
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
