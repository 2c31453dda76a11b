import type { ImapFlow } from 'imapflow'

/** Where a mailbox is reached over IMAP, and by whom. */
export interface ImapAccess {
  /** The address that was checked; `name` is the server's own, for its certificate. */
  host: string
  name: string
  port: number
  secure: boolean
  /** Whether an unencrypted connection must (true) or must not (false) be upgraded; undefined: where the server offers it. */
  startTls?: boolean
  user: string
  password: string
}

export interface ImapLimits {
  /** The connection ends by then, whatever the server does. Milliseconds. */
  timeMs: number
  /** The most that is fetched of one message. */
  messageBytes: number
}

const WAIT_MS = 20_000

/**
 * A client that is not connected yet, bounded in time and memory. The caller closes it. It returns nothing, instead of throwing,
 * for what is asked after the connection was lost: check `usable` before taking that for an answer.
 */
export async function createImapClient(access: ImapAccess, { timeMs, messageBytes }: ImapLimits): Promise<ImapFlow> {
  // Loaded by those who read a mailbox: most processes never do.
  const { ImapFlow } = await import('imapflow')
  const { host, name, port, secure, startTls, user, password } = access
  const client = new ImapFlow({
    host,
    port,
    secure,
    ...(startTls !== undefined && { doSTARTTLS: startTls }),
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
    maxLiteralSize: 2 * messageBytes,
    maxResponseSize: 4 * messageBytes,
  })
  // What is wrong with the connection is said by the command under way.
  client.on('error', () => undefined)
  const late = setTimeout(() => client.close(), timeMs).unref()
  client.on('close', () => clearTimeout(late))
  return client
}
