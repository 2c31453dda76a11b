/** An SMTP conversation over a socket: lines out, whole replies in, a deadline for each. */
import net from 'node:net'
import tls from 'node:tls'
import { WireError } from './smtp-problem.ts'
import type { SmtpOptions } from './types.ts'

export type Reply = { code: number; text: string; lines: string[] }

const REPLY_LINE = /^(\d{3})(?:([ -])(.*))?$/
const MAX_REPLY_BYTES = 64 * 1024
const MAX_REPLY_LINES = 500
/** Replies nobody has asked for yet. With everything pipelined five are on their way at most. */
const MAX_UNREAD = 8

export class Wire {
  #socket: net.Socket
  /** A line that has not ended yet. */
  #buffer = ''
  #lines: string[] = []
  /** Characters of the reply that has not ended yet, and of those that were not read. */
  #replySize = 0
  #unreadSize = 0
  #replies: Reply[] = []
  #waiting: { resolve: (reply: Reply) => void; reject: (error: WireError) => void } | null = null
  #deadline = Number.POSITIVE_INFINITY
  #clock: NodeJS.Timeout
  #failure: WireError | null = null

  constructor(socket: net.Socket, tickMs: number) {
    this.#socket = socket
    this.#listen(socket)
    // One slow clock a connection instead of a timer a reply.
    this.#clock = setInterval(() => {
      if (performance.now() > this.#deadline) this.fail(new WireError('timeout', 'the server did not respond in time'))
    }, tickMs).unref()
  }

  get failure(): WireError | null {
    return this.#failure
  }

  /** True when the server has said something nobody asked for. */
  get hasUnread(): boolean {
    return this.#replies.length > 0 || this.#buffer.length > 0
  }

  get encrypted(): boolean {
    return this.#socket instanceof tls.TLSSocket
  }

  get localAddress(): string | undefined {
    return this.#socket.localAddress
  }

  write(text: string): void {
    if (!this.#failure) this.#socket.write(text, 'utf8')
  }

  /** Writes several pieces as one. */
  writeAll(pieces: (Buffer | string)[]): void {
    if (this.#failure) return
    this.#socket.cork()
    for (const piece of pieces) this.#socket.write(piece)
    this.#socket.uncork()
  }

  /** The next reply; rejects with WireError. */
  read(timeoutMs: number): Promise<Reply> {
    const ready = this.#replies.shift()
    if (ready) {
      this.#unreadSize -= replySize(ready)
      return Promise.resolve(ready)
    }
    if (this.#failure) return Promise.reject(this.#failure)
    this.#deadline = performance.now() + timeoutMs
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  /** Continues encrypted. Anything the server said before encryption is an attack or a mistake (CVE-2011-0411). */
  async startTls(options: SmtpOptions, timeoutMs: number): Promise<void> {
    if (this.hasUnread) throw new WireError('garbage', 'data before encryption began')
    const plain = this.#socket
    plain.removeAllListeners()
    plain.on('error', () => {})
    const secured = tls.connect({ socket: plain, ...tlsOptions(options) })
    this.#socket = secured
    await established(secured, 'secureConnect', timeoutMs)
    this.#listen(secured)
  }

  fail(error: WireError): void {
    if (this.#failure) return
    this.#failure = error
    clearInterval(this.#clock)
    this.#socket.destroy()
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.reject(error)
  }

  destroy(): void {
    this.fail(new WireError('closed', 'the connection was closed'))
  }

  #listen(socket: net.Socket): void {
    socket.removeAllListeners('error')
    socket.on('data', (chunk) => this.#receive(chunk as Buffer))
    socket.on('error', (error) => this.fail(new WireError('closed', error.message, error)))
    socket.on('end', () => this.fail(new WireError('closed', 'the server closed the connection')))
    socket.on('close', () => this.fail(new WireError('closed', 'the server closed the connection')))
  }

  #receive(chunk: Buffer): void {
    const text = chunk.toString('latin1')
    let at = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      const line = this.#buffer + text.slice(at, end)
      this.#buffer = ''
      at = end + 1
      this.#take(line.endsWith('\r') ? line.slice(0, -1) : line)
      if (this.#failure) return
    }
    this.#buffer += text.slice(at)
    if (this.#replySize + this.#buffer.length > MAX_REPLY_BYTES) this.#endless()
  }

  #endless(): void {
    this.fail(new WireError('garbage', 'an endless reply'))
  }

  #take(line: string): void {
    const match = REPLY_LINE.exec(line)
    if (!match) {
      const shown = line.slice(0, 80).replace(/[^\x20-\x7e]/g, '?')
      this.fail(new WireError('garbage', `not an SMTP reply: ${shown}`))
      return
    }
    const text = match[3] ?? ''
    this.#replySize += line.length
    if (this.#replySize > MAX_REPLY_BYTES || this.#lines.length >= MAX_REPLY_LINES) return this.#endless()
    this.#lines.push(/[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text)
    if (match[2] === '-') return
    const reply = { code: Number(match[1]), text: joinReplyLines(this.#lines), lines: this.#lines }
    this.#lines = []
    this.#replySize = 0
    const waiting = this.#waiting
    if (!waiting) this.#keep(reply)
    else {
      this.#waiting = null
      this.#deadline = Number.POSITIVE_INFINITY
      waiting.resolve(reply)
    }
  }

  /** A reply that comes before it is asked for. Few can be ours: a server that goes on talking is not listened to. */
  #keep(reply: Reply): void {
    this.#replies.push(reply)
    this.#unreadSize += replySize(reply)
    if (this.#replies.length > MAX_UNREAD || this.#unreadSize > MAX_REPLY_BYTES)
      this.fail(new WireError('garbage', 'replies to nothing'))
  }
}

const STATUS = /^[245]\.\d{1,3}\.\d{1,3}(?= )/

/** The lines of a reply as one. Servers repeat the RFC 3463 status in each (RFC 2034, section 4): it is told once. */
function joinReplyLines(lines: string[]): string {
  const status = STATUS.exec(lines[0] ?? '')?.[0]
  if (status === undefined) return lines.join(' ')
  return lines
    .map((line, i) => (i > 0 && line.startsWith(`${status} `) ? line.slice(status.length + 1) : line))
    .join(' ')
}

const replySize = ({ text }: Reply) => text.length

function tlsOptions(options: SmtpOptions): tls.ConnectionOptions {
  return {
    ...(net.isIP(options.host) ? {} : { servername: options.host }),
    ...(options.ca ? { ca: options.ca } : {}),
    // Opportunistic encryption has nobody to vouch for; it is still better than none (RFC 7435).
    rejectUnauthorized: options.rejectUnauthorized ?? options.secure !== 'opportunistic',
    minVersion: 'TLSv1.2',
  }
}

/** Opens the socket. Rejects with the socket's own error or WireError('timeout'). */
export async function openSocket(options: SmtpOptions, timeoutMs: number): Promise<net.Socket> {
  const lookup = options.lookup ? { lookup: options.lookup } : {}
  const where = { host: options.host, port: options.port, ...lookup }
  const secure = options.secure === 'tls'
  const socket = secure ? tls.connect({ ...where, ...tlsOptions(options) }) : net.connect(where)
  socket.setNoDelay(true)
  await established(socket, secure ? 'secureConnect' : 'connect', timeoutMs)
  return socket
}

function established(socket: net.Socket, event: 'connect' | 'secureConnect', timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      clearTimeout(timer)
      socket.removeListener(event, done)
      socket.removeListener('error', settle)
      socket.removeListener('close', closed)
      if (!error) return resolve()
      socket.on('error', () => {})
      socket.destroy()
      reject(error)
    }
    const done = () => settle()
    const closed = () => settle(new WireError('closed', 'the server closed the connection'))
    const timer = setTimeout(() => settle(new WireError('timeout', 'no connection in time')), timeoutMs)
    socket.once(event, done)
    socket.once('error', settle)
    socket.once('close', closed)
  })
}
