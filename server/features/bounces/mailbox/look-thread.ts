/** The thread that talks to mail servers: what a hostile one sends may take a thread all its time. */
import type { ImapFlow } from 'imapflow'
// Not through the engine's index: it also loads what compiles templates, which takes long and is not needed here.
import { looksLikeAggregate } from '#server/engine/dmarc/mail.ts'
import { serveTasks } from '#server/platform/threads/serve-tasks.ts'
import { MAX_HEAD, MAX_REPORT } from '../sizes.ts'
import { MailboxProblem, openFolder, TOO_MUCH, toProblem } from './connection.ts'
import type { Found, MailboxResult, MailboxTask } from './mailboxes.ts'

/** Messages of one look, and bytes after which it fetches no more; the others wait for the next. */
const MAX_MESSAGES = 200
const MAX_BYTES = 8 * 1024 * 1024
/** Fetched together. */
const PORTION = 16
/** Processor time of a task. A real look takes less than a tenth of a second. Milliseconds. */
const MAX_CPU_MS = 5_000
const CPU_POLL_MS = 250

serveTasks(async (task: MailboxTask): Promise<MailboxResult> => {
  let client: ImapFlow | undefined
  const { folder } = task
  const watch = watchProcessor(() => client?.close())
  try {
    client = await openFolder(task.access, folder)
    if (task.kind === 'look') return await look(client, task.cursor)
    // Numbered anew, other messages have these numbers.
    if (task.kind === 'remove' && task.cursor.startsWith(`${toValidity(client)}:`))
      await client.messageDelete(task.uids.join(','), { uid: true })
    if (!client.usable) throw lost()
    return {}
  } catch (error) {
    return { problem: watch.isOver() ? TOO_MUCH : toProblem(error, folder).message }
  } finally {
    watch.end()
    await client?.logout().catch(() => client?.close())
  }
})

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
  let last = known === validity ? Number(lastRead) : 0
  // "*" is the newest message even where it is an older one than asked for.
  const all = await client.search({ uid: `${last + 1}:*` }, { uid: true })
  if (!all) throw new MailboxProblem('The folder could not be searched.')
  const uids = all.filter((one) => one > last).sort((a, b) => a - b)
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
  return { cursor: `${validity}:${last}`, found }
}

/** Some messages in their order, until there are so many bytes of them. */
async function fetchPortion(client: ImapFlow, uids: number[], maxBytes: number) {
  const heads = await client.fetchAll(uids.join(','), sourceUpTo(MAX_HEAD), { uid: true })
  const byUid = new Map(heads.map(({ uid, source }) => [uid, source]))
  const found: Found[] = []
  let [bytes, last] = [0, 0]
  for (const uid of uids) {
    if (bytes >= maxBytes) break
    const head = byUid.get(uid)
    const raw = head && ((looksLikeAggregate(head.toString('latin1')) && (await fetchWhole(client, uid))) || head)
    if (raw) found.push({ uid, raw })
    bytes += raw?.length ?? 0
    last = uid
  }
  // Taken for messages that are gone, bounces would be passed over.
  if (!client.usable) throw lost()
  return { found, bytes, last }
}

const sourceUpTo = (maxLength: number) => ({ source: { maxLength } })

/** A message with everything it carries; undefined: it is gone, or larger than a report may be. */
async function fetchWhole(client: ImapFlow, uid: number): Promise<Buffer | undefined> {
  const message = await client.fetchOne(String(uid), sourceUpTo(MAX_REPORT + 1), { uid: true })
  const raw = message ? message.source : undefined
  return raw && raw.length <= MAX_REPORT ? raw : undefined
}
