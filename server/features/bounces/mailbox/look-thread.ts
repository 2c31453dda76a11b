/** The thread that talks to mail servers: what a hostile one sends may take a thread all its time. */
import type { ImapFlow } from 'imapflow'
// Not through the engine's index: it also loads what compiles templates, which takes long and is not needed here.
import { looksLikeAggregate } from '#server/engine/dmarc/mail.ts'
import { serveTasks } from '#server/platform/threads/serve-tasks.ts'
import { MAX_HEAD, MAX_REPORT } from '../sizes.ts'
import { closeClient, createClient, MailboxProblem, TOO_MUCH, toProblem } from './connection.ts'
import type { Found, MailboxResult, MailboxTask } from './mailboxes.ts'

/** Messages of one look, and bytes after which it fetches no more; the others wait for the next. */
const MAX_MESSAGES = 200
const MAX_BYTES = 8 * 1024 * 1024
/** Fetched together. */
const PORTION = 16
/** Numbers of messages in one search: the reply to it is one line. */
const SEARCH_SPAN = 50_000
/** Searches of one look, where most numbers are of messages that are gone. */
const MAX_SEARCHES = 20
/** Processor time of a task. A real look takes less than a tenth of a second. Milliseconds. */
const MAX_CPU_MS = 5_000
const CPU_POLL_MS = 250

serveTasks(async (task: MailboxTask): Promise<MailboxResult> => {
  let client: ImapFlow | undefined
  const watch = watchProcessor(() => client?.close())
  try {
    client = await createClient(task.access)
    await client.connect()
    await client.mailboxOpen(task.folder)
    return await work(client, task)
  } catch (error) {
    return { problem: watch.isOver() ? TOO_MUCH : toProblem(error, task.folder).message }
  } finally {
    if (client) await closeClient(client)
    watch.end()
  }
})

async function work(client: ImapFlow, task: MailboxTask): Promise<MailboxResult> {
  if (task.kind === 'look') return look(client, task.cursor)
  // Numbered anew, other messages have these numbers.
  if (task.kind === 'remove' && task.cursor.startsWith(`${toValidity(client)}:`)) await remove(client, task.uids)
  if (!client.usable) throw lost()
  return {}
}

/** Where a server cannot delete some messages alone, they are marked: it would also delete what somebody else has marked. */
async function remove(client: ImapFlow, uids: number[]): Promise<void> {
  const [range, options] = [uids.join(','), { uid: true }]
  if (client.capabilities.has('UIDPLUS') || client.capabilities.has('IMAP4rev2'))
    await client.messageDelete(range, options)
  else await client.messageFlagsAdd(range, ['\\Deleted'], options)
}

const lost = () => new MailboxProblem('The connection to the mailbox was lost.')
const toValidity = ({ mailbox }: ImapFlow) => (mailbox ? String(mailbox.uidValidity) : '')

/** Calls `stop` once this thread has worked too long on a task. */
function watchProcessor(stop: () => void) {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  const start = used()
  let isOver = false
  const clock = setInterval(() => {
    if (used() - start < MAX_CPU_MS) return
    isOver = true
    stop()
  }, CPU_POLL_MS)
  return { isOver: () => isOver, end: () => clearInterval(clock) }
}

/** What came after the message that the cursor names: their beginnings, and DMARC reports whole. */
async function look(client: ImapFlow, cursor: string | undefined): Promise<MailboxResult> {
  const validity = toValidity(client)
  const [known, lastRead] = (cursor ?? '').split(':')
  const { uids, ...searched } = await findNew(client, known === validity ? Number(lastRead) : 0)
  let { last, hasMore } = searched
  const found: Found[] = []
  let bytes = 0
  for (let from = 0; from < Math.min(uids.length, MAX_MESSAGES) && bytes < MAX_BYTES; from += PORTION) {
    const portion = await fetchPortion(client, uids.slice(from, from + PORTION), MAX_BYTES - bytes).catch((error) => {
      // What was read before the connection broke counts: the next look goes on from there.
      if (found.length > 0) return undefined
      throw error
    })
    if (!portion) break
    found.push(...portion.found)
    bytes += portion.bytes
    last = portion.last
  }
  hasMore ||= uids.some((uid) => uid > last)
  return { cursor: `${validity}:${last}`, found, hasMore }
}

/** The first messages after one, in order. `last`: no message is between it and them; `hasMore`: there may be others. */
async function findNew(client: ImapFlow, lastRead: number) {
  const next = client.mailbox ? client.mailbox.uidNext : undefined
  let last = lastRead
  for (let searches = 0; searches < MAX_SEARCHES; searches++) {
    const end = last + SEARCH_SPAN
    const isWhole = !next || end >= next - 1
    const found = await client.search({ uid: `${last + 1}:${isWhole ? '*' : end}` }, { uid: true })
    if (!found) throw client.usable ? new MailboxProblem('The folder could not be searched.') : lost()
    // "*" is the newest message even where it is an older one than asked for.
    const uids = found.filter((one) => one > last).sort((a, b) => a - b)
    if (isWhole || uids.length > 0) return { uids, last, hasMore: !isWhole }
    last = end
  }
  return { uids: [], last, hasMore: true }
}

/** Some messages in their order, until there are so many bytes of them. */
async function fetchPortion(client: ImapFlow, uids: number[], maxBytes: number) {
  const heads = await fetchSources(client, uids, MAX_HEAD)
  const found: Found[] = []
  let [bytes, last] = [0, 0]
  for (const uid of uids) {
    if (bytes >= maxBytes) break
    const head = heads.get(uid)
    const raw = head && ((looksLikeAggregate(head.toString('latin1')) && (await fetchWhole(client, uid))) || head)
    if (raw) found.push({ uid, raw })
    bytes += raw?.length ?? 0
    last = uid
  }
  // Taken for messages that are gone, bounces would be passed over.
  if (!client.usable) throw lost()
  return { found, bytes, last }
}

/** The beginnings of messages. A server may send more of each, and others, without end: of them nothing is retained. */
async function fetchSources(client: ImapFlow, uids: number[], maxLength: number): Promise<Map<number, Buffer>> {
  const sources = new Map<number, Buffer>()
  const wanted = new Set(uids)
  for await (const { uid, source } of client.fetch(uids.join(','), { source: { maxLength } }, { uid: true }))
    if (source && wanted.has(uid)) sources.set(uid, Buffer.from(source.subarray(0, maxLength)))
  return sources
}

/** A message with everything it carries; undefined: it is gone, or larger than a report may be. */
async function fetchWhole(client: ImapFlow, uid: number): Promise<Buffer | undefined> {
  const raw = (await fetchSources(client, [uid], MAX_REPORT + 1)).get(uid)
  return raw && raw.length <= MAX_REPORT ? raw : undefined
}
