import { randomBytes } from 'node:crypto'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { deriveMarkKey } from '#server/adapters/sandbox/workspace-mark.ts'
import type { Mailbox } from '#server/features/sandbox/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { findOrStart, WORKER_WAITS_MS } from '../one-per-folder.ts'
import { startMailThread } from './mail-thread.ts'

/** The emulator for a mail server, running. */
export interface MailSandbox {
  smtpUrl: string
  /** undefined where another process on this data folder runs the emulators: its pages show the mail. */
  mails: Mailbox | undefined
  stop(): Promise<void>
}

const SEGMENT_BYTES = 64 * 1024 * 1024
const TOTAL_BYTES = 2 * 1024 * 1024 * 1024

/** Where the emulator of a data folder listens, for other processes and the next start; the key tells it from a stranger on that port. */
interface MailPlace {
  port: number
  key: string
}

/**
 * Starts the SMTP emulator on 127.0.0.1 and keeps what it gets in DATA_DIR/sandbox/mail. A second process on the same
 * folder (a worker beside a web process) sends to the one that runs.
 */
export async function startMailSandbox(
  { dataDir, secretKey, role = 'all' }: Pick<Config, 'dataDir' | 'secretKey'> & Partial<Pick<Config, 'role'>>,
  log: Log,
): Promise<MailSandbox> {
  const folder = join(dataDir, 'sandbox')
  const { place, running } = await findOrStart({
    file: join(folder, 'smtp.json'),
    read: ({ key }, port): MailPlace | undefined => (typeof key === 'string' ? { port, key } : undefined),
    fresh: (port) => ({ port, key: randomBytes(12).toString('hex') }),
    responds: respondsAt,
    patience: role === 'worker' ? WORKER_WAITS_MS : 0,
    async start({ port, key }) {
      const limits = { segmentBytes: SEGMENT_BYTES, totalBytes: TOTAL_BYTES }
      const running = await startMailThread(
        {
          folder: join(folder, 'mail'),
          port,
          greeting: buildGreeting(key),
          markKey: deriveMarkKey(secretKey),
          ...limits,
        },
        log,
      )
      return { place: { port: running.port, key }, running }
    },
  })
  const smtpUrl = `smtp://127.0.0.1:${place.port}`
  if (!running) {
    log.info({ port: place.port }, 'mail goes to the sandbox of another process on this data folder')
    return { smtpUrl, mails: undefined, stop: async () => undefined }
  }
  log.info({ port: place.port }, 'sandbox: mail that would leave is kept on this machine')
  return { smtpUrl, mails: running.mails, stop: running.stop }
}

const buildGreeting = (key: string) => `localhost ESMTP Postlark sandbox ${key}`

function respondsAt({ port, key }: MailPlace): Promise<boolean> {
  return new Promise((resolve) => {
    let text = ''
    const socket = createConnection({ port, host: '127.0.0.1', timeout: 2_000 })
    const settle = (found: boolean) => {
      socket.destroy()
      resolve(found)
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.includes('\n') || text.length > 512) settle(text.startsWith(`220 ${buildGreeting(key)}`))
    })
    for (const event of ['error', 'timeout', 'close'] as const) socket.on(event, () => settle(false))
  })
}
