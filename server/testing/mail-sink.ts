import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Received {
  from: string
  to: string[]
  raw: Buffer
  /** When it had arrived, in ms of `performance.now()`. */
  at: number
}

/**
 * A real SMTP server on 127.0.0.1 that keeps what it gets. `answer` may refuse: text such as '450 4.2.1 later'. With
 * `knows` it takes mail only from who signs in.
 */
export async function startMailSink(
  respond: (stage: 'rcpt' | 'data', address: string) => string | undefined = () => undefined,
  knows?: (user: string, password: string) => boolean,
) {
  let received: Received[] = []
  const arrivals = new EventEmitter()
  let mostConnections = 0
  const refusal = (text: string) => Object.assign(new Error(text.slice(4)), { responseCode: Number(text.slice(0, 3)) })
  const server = new SMTPServer({
    authOptional: knows === undefined,
    allowInsecureAuth: knows !== undefined,
    onAuth: ({ username, password }, _session, done) =>
      knows?.(username ?? '', password ?? '')
        ? done(null, { user: username ?? '' })
        : done(refusal('535 5.7.8 Username and Password not accepted. BadCredentials')),
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, _session, done) {
      const text = respond('rcpt', address)
      done(text ? refusal(text) : null)
    },
    onData(stream, session, done) {
      mostConnections = Math.max(mostConnections, server.connections.size)
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map((recipient) => recipient.address)
        const text = respond('data', to[0] ?? '')
        if (text) return done(refusal(text))
        const mailFrom = session.envelope.mailFrom
        received.push({ from: mailFrom ? mailFrom.address : '', to, raw: Buffer.concat(chunks), at: performance.now() })
        arrivals.emit('mail')
        done(null)
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    /** What has come so far, oldest first. */
    get received(): readonly Received[] {
      return received
    },
    /** Forgets what has come so far. */
    empty() {
      received = []
    },
    /** Waits until a mail matches, and takes it apart with an independent parser. */
    async waitFor(match: (mail: Received) => boolean): Promise<Email & { raw: Buffer }> {
      for (;;) {
        const found = received.find(match)
        if (found) return Object.assign(await PostalMime.parse(found.raw), { raw: found.raw })
        await once(arrivals, 'mail', { signal: AbortSignal.timeout(30_000) })
      }
    },
    mailTo(address: string) {
      return this.waitFor((mail) => mail.to.includes(address))
    },
    /** The most connections there were at once while a mail came. */
    mostConnections: () => mostConnections,
    /** Waits until so many mails have come. */
    async waitForCount(count: number, seconds = 60) {
      const signal = AbortSignal.timeout(seconds * 1000)
      while (received.length < count) await once(arrivals, 'mail', { signal })
    },
    /** Ends every connection, as a server does that restarts. */
    cut() {
      for (const connection of server.connections) connection.close()
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type MailSink = Awaited<ReturnType<typeof startMailSink>>
