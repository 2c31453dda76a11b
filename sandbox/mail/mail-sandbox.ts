import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Mailbox } from '#server/features/sandbox/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { startMailThread } from './mail-thread.ts'

/** The stand-in for a mail server, running. */
export interface MailSandbox {
  smtpUrl: string
  /** undefined where another process on this data folder runs the stand-ins: its pages show the mail. */
  mails: Mailbox | undefined
  stop(): Promise<void>
}

const SEGMENT_BYTES = 64 * 1024 * 1024
const TOTAL_BYTES = 2 * 1024 * 1024 * 1024
/** A worker shows no pages: it lets a web process that starts beside it keep the mail. */
const WORKER_WAITS_MS = 10_000
const LOOK_AGAIN_MS = 250

/** Where the stand-in of a data folder listens, for other processes and the next start; the key tells it from a stranger on that port. */
interface Place {
  port: number
  key: string
}

/**
 * Starts the SMTP stand-in on 127.0.0.1 and keeps what it gets in DATA_DIR/sandbox/mail. A second process on the same
 * folder (a worker beside a web process) sends to the one that runs.
 */
export async function startMailSandbox(
  { dataDir, role = 'all' }: Pick<Config, 'dataDir'> & Partial<Pick<Config, 'role'>>,
  log: Log,
): Promise<MailSandbox> {
  const folder = join(dataDir, 'sandbox')
  const file = join(folder, 'smtp.json')
  mkdirSync(folder, { recursive: true })
  const running = await runningAt(file, role === 'worker' ? WORKER_WAITS_MS : 0)
  if (running) {
    log.info({ port: running.port }, 'mail goes to the sandbox of another process on this data folder')
    return { smtpUrl: `smtp://127.0.0.1:${running.port}`, mails: undefined, stop: async () => undefined }
  }
  const known = placeIn(file)
  const key = known?.key ?? randomBytes(12).toString('hex')
  const thread = await startMailThread(
    {
      folder: join(folder, 'mail'),
      port: known?.port ?? 0,
      greeting: greetingOf(key),
      segmentBytes: SEGMENT_BYTES,
      totalBytes: TOTAL_BYTES,
    },
    log,
  )
  writeFileSync(file, JSON.stringify({ port: thread.port, key }))
  log.info({ port: thread.port }, 'sandbox: mail that would leave is kept on this machine')
  return { smtpUrl: `smtp://127.0.0.1:${thread.port}`, mails: thread.mails, stop: thread.stop }
}

/** The stand-in another process runs on this folder, waiting so long for it to begin. */
async function runningAt(file: string, patience: number): Promise<Place | undefined> {
  const until = performance.now() + patience
  for (;;) {
    const place = placeIn(file)
    if (place && (await answersAt(place))) return place
    if (performance.now() >= until) return undefined
    await setTimeout(LOOK_AGAIN_MS)
  }
}

const greetingOf = (key: string) => `localhost ESMTP Postlark sandbox ${key}`

function placeIn(file: string): Place | undefined {
  try {
    const { port, key } = JSON.parse(readFileSync(file, 'utf8'))
    return Number.isInteger(port) && port > 0 && port < 65_536 && typeof key === 'string' ? { port, key } : undefined
  } catch {
    return undefined
  }
}

function answersAt({ port, key }: Place): Promise<boolean> {
  return new Promise((resolve) => {
    let text = ''
    const socket = createConnection({ port, host: '127.0.0.1', timeout: 2_000 })
    const settle = (found: boolean) => {
      socket.destroy()
      resolve(found)
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.includes('\n') || text.length > 512) settle(text.startsWith(`220 ${greetingOf(key)}`))
    })
    for (const event of ['error', 'timeout', 'close'] as const) socket.on(event, () => settle(false))
  })
}
