/**
 * The SMTP emulator with its store, in a thread of its own: twenty thousand messages must not slow a page. The main
 * thread asks over messages (protocol.ts).
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { SandboxMail } from '#contracts/sandbox/sandbox.ts'
import { readMark } from '#server/adapters/sandbox/workspace-mark.ts'
import type { Mailbox } from '#server/features/sandbox/index.ts'
import { startReceiver } from '../smtp/receiver.ts'
import type { Incoming } from '../smtp/session.ts'
import { openAttachment, openMail } from './open-mail.ts'
import type { FromThread, ThreadData, ToThread } from './protocol.ts'
import type { NewRow, StoredRow } from './segment.ts'
import { MailStore } from './store.ts'
import { headerFault, summarizeMail } from './summary.ts'

const TELL_MS = 200
const TOLD_AT_ONCE = 50

const { folder, port, greeting, markKey, segmentBytes, totalBytes } = workerData as ThreadData
const tell = (message: FromThread) => parentPort?.postMessage(message)

let waiting: { row: NewRow; raw: Buffer; answered: (reply: string) => void }[] = []
let watched = false
/** By workspace: a flood of one does not hide another's mail. */
let news = new Map<string | null, StoredRow[]>()
let newsTimer: NodeJS.Timeout | undefined

const shown = ({ offset: _, id, workspace, ...row }: StoredRow): SandboxMail => ({
  id: String(id),
  workspaceId: workspace ?? null,
  ...row,
})

/** Everything that came in one turn of the loop is written at once, and answered when the operating system has it. */
function deliver(mail: Incoming, answered: (reply: string) => void): void {
  const fault = headerFault(mail.raw)
  if (fault) return answered(fault)
  const workspace = readMark(markKey, mail.client) ?? null
  waiting.push({ row: summarizeMail({ ...mail, workspace }, new Date().toISOString()), raw: mail.raw, answered })
  if (waiting.length === 1) setImmediate(commit)
}

function commit(): void {
  const batch = waiting
  waiting = []
  try {
    const rows = store.append(batch)
    for (const [i, { answered }] of batch.entries()) answered(`250 2.0.0 OK: queued as ${rows[i]?.id}`)
    announce(rows)
  } catch (error) {
    tell({ kind: 'trouble', message: (error as Error).message })
    for (const { answered } of batch) answered('452 4.3.1 The disk did not take it, try again later')
  }
}

/** Watchers hear at most so many rows of a workspace five times a second; a page that may have missed some loads its list again. */
function announce(rows: StoredRow[]): void {
  if (!watched) return
  for (const row of rows) {
    const own = news.get(row.workspace) ?? []
    own.push(row)
    if (own.length > TOLD_AT_ONCE) own.shift()
    news.set(row.workspace, own)
  }
  if (newsTimer) return
  newsTimer = setTimeout(() => {
    newsTimer = undefined
    const mails = [...news.values()].flat().sort((a, b) => a.id - b.id)
    tell({ kind: 'mails', mails: mails.map(shown) })
    news = new Map()
  }, TELL_MS)
}

const methods: Omit<Mailbox, 'watch'> = {
  async list({ scope, limit, before, q }) {
    const from = before === undefined ? undefined : Number(before)
    const { items, more } = await store.list({ scope, limit, q, before: from })
    return { items: items.map(shown), more, total: q ? undefined : store.count(scope) }
  },
  async open(scope, id) {
    const [row, raw] = [store.row(scope, Number(id)), store.source(scope, Number(id))]
    return row && raw && { ...shown(row), ...(await openMail(raw)) }
  },
  async source(scope, id) {
    return store.source(scope, Number(id))
  },
  async attachment(scope, id, index) {
    const raw = store.source(scope, Number(id))
    return raw && openAttachment(raw, index)
  },
  async clear(scope) {
    store.clear(scope)
  },
}

// The port first: where another process has it, the mail is that one's and not touched.
const receiver = await startReceiver(port, greeting, deliver)
const store = new MailStore(folder, { segmentBytes, totalBytes })

async function respond(question: Exclude<ToThread, 'stop' | { method: 'watch' }>): Promise<void> {
  try {
    const value = await (methods[question.method] as (...args: unknown[]) => Promise<unknown>)(...question.args)
    tell({ kind: 'answer', id: question.id, value })
  } catch (error) {
    tell({ kind: 'failed', id: question.id, message: (error as Error).message })
  }
}

parentPort?.on('message', async (message: ToThread) => {
  if (message === 'stop') {
    await receiver.stop()
    store.close()
    parentPort?.close()
  } else if (message.method === 'watch') watched = message.on
  else await respond(message)
})
tell({ kind: 'ready', port: receiver.port })
