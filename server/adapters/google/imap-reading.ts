import type { ImapFlow, ImapFlowOptions } from 'imapflow'
import { PASSWORD_REFUSED } from './gmail-smtp.ts'
import { type Mailbox, type MailHeads, ReadProblem } from './mailbox.ts'

/** Where a mailbox is reached over IMAP, and with which app password. */
export interface ImapAccess {
  /** The address that was checked; `name` is the server's own, for its certificate. */
  host: string
  name: string
  port: number
  secure: boolean
  user: string
  password: string
}

const WAIT_MS = 20_000
/** A look is over by then, whatever the server does: the next one goes on where this one stood. */
const READ_TIMEOUT_MS = 240_000
/** Messages of one sync; the others wait for the next. */
const MAX_MESSAGES = 2_000
/** Asked for together, so that a long list is no long string. */
const PORTION = 200
/** Reason, recipient and what was sent stand at the front of what comes back: more of it is not fetched. */
const RAW_BYTES = 1024 * 1024
const DAYS_BACK = 30
/** What is judged by; nothing else of a message is fetched. */
const HEADERS = [
  'from',
  'message-id',
  'in-reply-to',
  'references',
  'content-type',
  'auto-submitted',
  'precedence',
  'x-autoreply',
  'x-autorespond',
  'list-id',
  'x-failed-recipients',
  'x-postlark-id',
]
/** Gmail's labels by the names its API has for them. */
const LABELS = new Map([
  ['\\Inbox', 'INBOX'],
  ['\\Sent', 'SENT'],
  ['\\Draft', 'DRAFT'],
  ['\\Drafts', 'DRAFT'],
  ['\\Trash', 'TRASH'],
  ['\\Spam', 'SPAM'],
  ['\\Junk', 'SPAM'],
])

const buildOptions = ({ host, name, port, secure, user, password }: ImapAccess): ImapFlowOptions => ({
  host,
  port,
  secure,
  servername: name,
  auth: { user, pass: password },
  clientInfo: { name: 'Postlark' },
  logger: false,
  disableAutoIdle: true,
  connectionTimeout: WAIT_MS,
  greetingTimeout: WAIT_MS,
  socketTimeout: 2 * WAIT_MS,
  // A server that is not what it says must not fill the memory.
  maxLineLength: 1024 * 1024,
  maxLiteralSize: 2 * RAW_BYTES,
  maxResponseSize: 4 * RAW_BYTES,
})

/**
 * Opens a Gmail mailbox over IMAP by app password: the folder that holds everything, sent and received, read only; where
 * that one is hidden from IMAP, the inbox. One connection, until `close`. Throws ReadProblem.
 */
export async function imapMailbox(access: ImapAccess): Promise<Mailbox> {
  // Loaded by those who read a mailbox: most processes never do.
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow(buildOptions(access))
  // What is wrong with the connection is said by the command under way.
  client.on('error', () => undefined)
  const late = setTimeout(() => client.close(), READ_TIMEOUT_MS)
  const end = () => {
    clearTimeout(late)
    client.close()
  }
  try {
    await client.connect()
    const folders = await client.list({ listOnly: true })
    const all = folders.find(({ specialUse, flags }) => specialUse === '\\All' && !flags.has('\\Noselect'))
    const folder = await client.mailboxOpen(all?.path ?? 'INBOX', { readOnly: true })
    return reading(client, { path: folder.path, validity: String(folder.uidValidity), next: folder.uidNext }, end)
  } catch (error) {
    end()
    throw toMailProblem(error)
  }
}

interface Folder {
  path: string
  validity: string
  next: number
}

/** Reads an open folder. A cursor is what makes its numbers valid, the last number that was read, and its name. */
function reading(client: ImapFlow, { path, validity, next }: Folder, end: () => void): Mailbox {
  const cursorAt = (uid: number) => `${validity}:${uid}:${path}`
  async function search(query: { uid: string } | { since: Date }): Promise<number[]> {
    const found = await said(() => client.search(query, { uid: true }))
    // The library says so instead of throwing; taken for nothing found, mail would be passed over.
    if (!found) throw new ReadProblem('failed', 'The mailbox could not be searched.')
    return found
  }
  const stillOpen = () => {
    if (!client.usable) throw new ReadProblem('failed', 'The connection to the mailbox was lost.')
  }
  return {
    async newest() {
      return cursorAt(next - 1)
    },
    async addedSince(cursor) {
      const [, valid = '', last = '', folder = ''] = /^(\d+):(\d+):(.*)$/s.exec(cursor) ?? []
      // Numbered anew, another folder, or read another way before: what stands in the cursor means nothing here.
      if (valid !== validity || folder !== path) throw new ReadProblem('gone', 'The mailbox was renumbered.')
      const after = Number(last)
      if (after >= next - 1) return { ids: [], cursor }
      // "*" is the newest message even where it is an older one than asked for.
      const found = (await search({ uid: `${after + 1}:*` })).filter((uid) => uid > after).sort((a, b) => a - b)
      const taken = found.slice(0, MAX_MESSAGES)
      return { ids: taken.map(String), cursor: cursorAt(Math.max(after, taken.at(-1) ?? next - 1)) }
    },
    async recent() {
      const found = await search({ since: new Date(Date.now() - DAYS_BACK * 86_400_000) })
      return found
        .sort((a, b) => a - b)
        .slice(-MAX_MESSAGES)
        .map(String)
    },
    async *heads(ids) {
      for (let from = 0; from < ids.length; from += PORTION) {
        const uids = ids.slice(from, from + PORTION).join(',')
        const wanted = { headers: HEADERS, internalDate: true, labels: true, threadId: true }
        const found = await said(() => client.fetchAll(uids, wanted, { uid: true }))
        stillOpen()
        yield* found.map(toMailHeads)
      }
    },
    async raw(id) {
      const found = await said(() => client.fetchOne(id, { source: { maxLength: RAW_BYTES } }, { uid: true }))
      stillOpen()
      if (!found || found.source === undefined) throw new ReadProblem('gone', 'It no longer exists.')
      return found.source
    },
    async close() {
      await client.logout().catch(() => undefined)
      end()
    },
  }
}

type Fetched = Awaited<ReturnType<ImapFlow['fetchAll']>>[number]

function toMailHeads({ uid, emailId, threadId, labels, internalDate, headers }: Fetched): MailHeads {
  const at = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime()
  return {
    id: String(uid),
    remoteId: toHex(emailId),
    threadId: toHex(threadId),
    labelIds: [...(labels ?? [])].map((label) => LABELS.get(label) ?? label),
    at: Number.isNaN(at) ? Date.now() : at,
    headers: parseHeaders(headers?.toString('utf8') ?? ''),
  }
}

/** Gmail's API writes the same numbers in hexadecimal. */
const toHex = (id: string | undefined) => (id && /^\d{1,20}$/.test(id) ? BigInt(id).toString(16) : '')

/** Header fields by lower-case name, unfolded. */
function parseHeaders(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return fields
}

async function said<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toMailProblem(error)
  }
}

/** What went wrong, in words for people; anything that is no trouble of the server's stays what it is. */
function toMailProblem(error: unknown): unknown {
  const { authenticationFailed, code, response, responseText } = error as {
    authenticationFailed?: boolean
    code?: string
    response?: unknown
    responseText?: string
  }
  const words = responseText ?? (typeof response === 'string' ? response : '')
  if (/not enabled for IMAP/i.test(words))
    return new ReadProblem(
      'failed',
      'IMAP is turned off in the settings of this Gmail account. Turn it on there, under “Forwarding and POP/IMAP”.',
    )
  if (/simultaneous connections|bandwidth|OVERQUOTA|try again|temporar/i.test(words) || code === 'ETHROTTLE')
    return new ReadProblem('failed', 'Google asks to wait before the mailbox is read again.')
  if (authenticationFailed) return new ReadProblem('password', PASSWORD_REFUSED)
  if (code === undefined && responseText === undefined) return error
  return new ReadProblem('failed', `The mailbox cannot be read over IMAP (${code ?? 'refused'}).`)
}
