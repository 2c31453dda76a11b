import type { ImapFlow } from 'imapflow'
import { createTokens, looksLikeAggregate, type Tokens } from '#server/engine/index.ts'
import { TooEarly } from '#server/features/campaigns/index.ts'
import { findCoveringDomain, takeAggregateReport } from '#server/features/senders/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Services } from '#server/services.ts'
import { openSecret } from '../bounces.ts'
import { applyFeedback } from '../listener/apply.ts'
import { findMarks, MAX_HEAD, MAX_REPORT, type ReportReader, UnreadableReport } from '../reports.ts'
import { noteLook, noteReceived, readMailbox, type SourceRow, takeMailboxes } from '../store.ts'
import { MailboxProblem, openFolder, toProblem } from './connection.ts'

type ReadingServices = Pick<Services, 'db' | 'config' | 'log' | 'nameServers'>

const EVERY_SECONDS = 60
/** After trouble, so that a wrong password is not tried too often. */
const AFTER_TROUBLE_SECONDS = 600
const LEASE_SECONDS = 300
const AT_ONCE = 5
/** Messages of one look; the others wait for the next. */
const MAX_MESSAGES = 200

/** Looks into the mailboxes whose time has come. */
export async function readMailboxes(services: ReadingServices, reader: ReportReader): Promise<void> {
  const sources = await takeMailboxes(services.db, AT_ONCE, LEASE_SECONDS)
  await Promise.all(sources.map((source) => readOne(services, reader, source)))
}

async function readOne(services: ReadingServices, reader: ReportReader, source: SourceRow): Promise<void> {
  const { db, config, log } = services
  const mailbox = readMailbox(source)
  const password = openSecret(config, source)
  let trouble = ''
  let cursor: string | undefined
  try {
    if (password === undefined) throw new MailboxProblem('The stored password can no longer be read. Add it again.')
    const client = await openFolder(config, mailbox, password)
    try {
      for await (const at of readNew(services, reader, source, client)) cursor = at
    } finally {
      await client.logout().catch(() => client.close())
    }
  } catch (error) {
    if (error instanceof TooEarly) log.debug({ source: source.id }, 'a bounce is read again later')
    else trouble = toProblem(error, mailbox.folder).message
  }
  await noteLook(db, source, { trouble, cursor, seconds: trouble ? AFTER_TROUBLE_SECONDS : EVERY_SECONDS })
}

/**
 * Reads on from where the last look stood, applies each report and deletes it once that is committed; what is not about our
 * emails stays where it is. A process that is killed reads it again, which changes nothing. Yields where it stands after each
 * message. Throws TooEarly and MailboxProblem.
 */
async function* readNew(
  services: ReadingServices,
  reader: ReportReader,
  source: SourceRow,
  client: ImapFlow,
): AsyncGenerator<string> {
  const tokens = createTokens(deriveKey(services.config.secretKey, 'message tokens'))
  const validity = client.mailbox ? String(client.mailbox.uidValidity) : ''
  const [known, last] = (readMailbox(source).cursor ?? '').split(':')
  const after = known === validity ? Number(last) : 0
  // "*" is the newest message even where it is an older one than asked for.
  const found = await client.search({ uid: `${after + 1}:*` }, { uid: true })
  if (!found) throw new MailboxProblem('The folder could not be searched.')
  yield `${validity}:${after}`
  for (const uid of found
    .filter((one) => one > after)
    .sort((a, b) => a - b)
    .slice(0, MAX_MESSAGES)) {
    const message = await client.fetchOne(String(uid), { source: { maxLength: MAX_HEAD } }, { uid: true })
    const raw = message ? message.source : undefined
    const isDone =
      raw && (await takeIn(services, reader, { tokens, source, raw, readWhole: () => fetchWhole(client, uid) }))
    if (isDone) await client.messageDelete(String(uid), { uid: true })
    // Taken for a message that is gone, a bounce would be passed over.
    if (!client.usable) throw new MailboxProblem('The connection to the mailbox was lost.')
    yield `${validity}:${uid}`
  }
}

/** A message with everything it carries; undefined: it is gone, or larger than a report may be. */
async function fetchWhole(client: ImapFlow, uid: number): Promise<Buffer | undefined> {
  const message = await client.fetchOne(String(uid), { source: { maxLength: MAX_REPORT + 1 } }, { uid: true })
  const raw = message ? message.source : undefined
  return raw && raw.length <= MAX_REPORT ? raw : undefined
}

interface MailboxMessage {
  tokens: Tokens
  source: SourceRow
  /** Its beginning. */
  raw: Buffer
  readWhole(): Promise<Buffer | undefined>
}

/** Applies one message of the mailbox. Returns whether it was about an email or a domain of the workspace, so that it is done with. */
async function takeIn(
  services: ReadingServices,
  reader: ReportReader,
  { tokens, source, raw, readWhole }: MailboxMessage,
): Promise<boolean> {
  const head = raw.toString('latin1')
  const marks = findMarks(tokens, head)
  try {
    if (marks.length === 0)
      return looksLikeAggregate(head) && (await takeAggregate(services, reader, source, await readWhole()))
    const report = await reader.read(raw)
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
  raw: Buffer | undefined,
): Promise<boolean> {
  const report = raw && (await reader.readAggregate(raw))
  const domain = report && (await findCoveringDomain(db, source.workspaceId, report.domain))
  if (!report || !domain) return false
  const author = await reader.findAuthor(raw, nameServers.servers)
  return db.transaction().execute(async (db) => {
    const isTaken = await takeAggregateReport(db, domain, report, author)
    if (isTaken) await noteReceived(db, source)
    return isTaken
  })
}
