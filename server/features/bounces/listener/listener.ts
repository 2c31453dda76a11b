import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { createTokens, type Delivery, readReturnAddress, type Tokens } from '#server/engine/index.ts'
import { TooEarly } from '#server/features/campaigns/index.ts'
import {
  feedbackHost,
  findAwaited,
  findReportedDomain,
  takeAggregateReport,
  takeArrival,
} from '#server/features/senders/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import { ConfigError } from '#server/platform/environment.ts'
import { toNetwork } from '#server/platform/network.ts'
import { createSelfSigned } from '#server/platform/self-signed.ts'
import { Semaphore } from '#server/platform/semaphore.ts'
import type { Services } from '#server/services.ts'
import { findMarks, ReportReader, UnreadableReport } from '../reports.ts'
import { MAX_HEAD, MAX_REPORT } from '../sizes.ts'
import { sourceByKind } from '../store.ts'
import { applyReport, type Target } from './apply.ts'
import { AtOnce, PerMinute } from './limits.ts'

type ListenerServices = Pick<Services, 'db' | 'config' | 'log' | 'nameServers'>

const MAX_CONNECTIONS = 100
/** Of one network: mail servers with much to return open several. */
const MAX_EACH = 40
const CONNECTIONS_A_MINUTE = 300
const MESSAGES_A_MINUTE = 1_200
/** A real server returns to one address at a time; a connection that guesses is ended. */
const MAX_RECIPIENTS = 10
const MAX_REFUSALS = 10
const IDLE_MS = 60_000
const MAX_MS = 10 * 60_000
const STOP_MS = 5_000
/** What is refused for its size is read on this far, so that the client hears why. */
const CUT_AT = 4 * MAX_REPORT

/** Messages that are held whole at once, of everybody and of one network. */
const whole = new Semaphore({ total: 4, each: 2 })

/** What is known of a connection while it is open. */
interface Visit {
  network: string
  targets: Map<string, Target>
  refused: number
  late: NodeJS.Timeout
  /** The version of its encryption; null: it is in the clear. */
  tls: string | null
}

type Done = (error?: Error | null, text?: string) => void

const reply = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })

/** Replies with what a step returned or threw: our own replies as they are, anything else as 451, so that it is sent again. */
function respond(step: Promise<string | undefined>, log: Services['log'], done: Done): void {
  step.then(
    (text) => done(null, text),
    (error) => {
      if (error instanceof Error && 'responseCode' in error) return done(error)
      if (!(error instanceof TooEarly)) log.error({ err: error }, 'a report could not be taken in; it is sent again')
      done(reply(451, '4.3.0 Not now. Send it again in a few minutes'))
    },
  )
}

type Endpoint = NonNullable<Services['config']['bounceSmtp']>

export interface Listener {
  port: number
  stop(): Promise<void>
}

/**
 * Takes in what mail servers return for emails sent from here, on BOUNCE_SMTP_PORT: for addresses that only we can have made,
 * and for nobody else. 250 is said once what a report says is committed; 451 where it could not be. Throws ConfigError.
 */
export async function startListener(services: ListenerServices, { port, host }: Endpoint): Promise<Listener> {
  const reader = new ReportReader()
  const visits = new Map<string, Visit>()
  const server = createServer(services, reader, visits)
  server.listen(port, host)
  await Promise.race([
    once(server.server, 'listening'),
    once(server, 'error').then(([error]) => {
      throw new ConfigError(`BOUNCE_SMTP_PORT ${port} cannot be listened on: ${(error as Error).message}`)
    }),
  ])
  server.on('error', (error) => services.log.debug({ err: error }, 'a connection to the bounce listener broke'))
  return {
    port: (server.server.address() as AddressInfo).port,
    async stop() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
      for (const { late } of visits.values()) clearTimeout(late)
      await reader.stop()
    },
  }
}

function createServer(services: ListenerServices, reader: ReportReader, visits: Map<string, Visit>): SMTPServer {
  const { config, log } = services
  const tokens = createTokens(deriveKey(config.secretKey, 'message tokens'))
  const host = feedbackHost(config)
  const [atOnce, connections, messages] = [
    new AtOnce(MAX_EACH),
    new PerMinute(CONNECTIONS_A_MINUTE),
    new PerMinute(MESSAGES_A_MINUTE),
  ]
  const hangUp = (id: string) => {
    for (const connection of server.connections) if (connection.id === id) connection.close()
  }
  const server: SMTPServer = new SMTPServer({
    name: host,
    banner: 'Postlark, for bounces only',
    ...readCertificate(config.bounceSmtp, host),
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    // Our own replies have theirs (RFC 3463); the library would put a coarser one before each.
    hideENHANCEDSTATUSCODES: true,
    logger: false,
    size: MAX_REPORT,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: IDLE_MS,
    closeTimeout: STOP_MS,
    onConnect(session, done) {
      const network = toNetwork(session.remoteAddress)
      if (!connections.take(network) || !atOnce.enter(network))
        return done(reply(421, '4.7.0 Too many connections from you. Try again later'))
      const late = setTimeout(() => hangUp(session.id), MAX_MS).unref()
      visits.set(session.id, { network, targets: new Map(), refused: 0, late, tls: null })
      done()
    },
    onSecure(socket, session, done) {
      const visit = visits.get(session.id)
      if (visit && 'getProtocol' in socket) visit.tls = socket.getProtocol()
      done()
    },
    onClose(session) {
      const visit = visits.get(session.id)
      if (!visit) return
      visits.delete(session.id)
      clearTimeout(visit.late)
      atOnce.leave(visit.network)
    },
    onMailFrom(_address, session, done) {
      const visit = visits.get(session.id)
      visit?.targets.clear()
      done(visit && messages.take(visit.network) ? null : reply(451, '4.7.0 Too many messages. Try again later'))
    },
    onRcptTo({ address }, session, done) {
      const visit = visits.get(session.id)
      if (!visit) return done(reply(421, '4.3.0 Connect again'))
      if (visit.targets.size >= MAX_RECIPIENTS) return done(reply(452, '4.5.3 Too many recipients'))
      respond(
        findTarget(services, tokens, address).then((target) => {
          if (target) {
            visit.targets.set(address.toLowerCase(), target)
            return 'OK'
          }
          if (++visit.refused >= MAX_REFUSALS) setImmediate(() => hangUp(session.id))
          throw reply(550, '5.1.1 No such address here')
        }),
        log,
        done,
      )
    },
    onData(stream, session, done) {
      respond(takeIn(services, { reader, tokens, visit: visits.get(session.id), hangUp }, stream, session), log, done)
    },
  })
  return server
}

/** Given files, or a certificate of its own making. */
function readCertificate(given: Endpoint | undefined, host: string): { key: string; cert: string } {
  if (!given?.certFile || !given.keyFile) return createSelfSigned(host)
  try {
    return { cert: readFileSync(given.certFile, 'utf8'), key: readFileSync(given.keyFile, 'utf8') }
  } catch (error) {
    throw new ConfigError(`BOUNCE_SMTP_CERT and BOUNCE_SMTP_KEY cannot be read: ${(error as Error).message}`)
  }
}

/** What an address stands for; undefined: nothing of ours. A forged one is known without asking the database. */
async function findTarget(
  { db, config }: ListenerServices,
  tokens: Tokens,
  address: string,
): Promise<Target | undefined> {
  const at = address.lastIndexOf('@')
  const host = address.slice(at + 1).toLowerCase()
  if (host !== feedbackHost(config) && !host.startsWith('bounces.')) return undefined
  const content = readReturnAddress(tokens, address.slice(0, at))
  if (!content) return undefined
  if (content.purpose === 'bounce') return { messageId: content.id }
  if (content.purpose === 'dmarc') {
    const domain = await findReportedDomain(db, content.id)
    return domain && { domain }
  }
  if (content.purpose === 'loopback') {
    const awaited = await findAwaited(db, content.id)
    return awaited && { awaited }
  }
  const source = await sourceByKind(db, 'listener', content.id)
  return source && { source }
}

interface Taking {
  reader: ReportReader
  tokens: Tokens
  visit: Visit | undefined
  hangUp(id: string): void
}

/** Reads a message as far as it is needed, and applies it. Throws the reply that refuses it. */
async function takeIn(
  { db, nameServers }: ListenerServices,
  { reader, tokens, visit, hangUp }: Taking,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<string | undefined> {
  const targets = [...(visit?.targets.values() ?? [])]
  const network = visit?.network ?? ''
  const domains = targets.flatMap((target) => ('domain' in target ? [target.domain] : []))
  const awaited = targets.flatMap((target) => ('awaited' in target ? [target.awaited] : []))
  // DMARC reports are read whole: few of them at once.
  const release = domains.length > 0 ? whole.tryAcquire(network) : () => undefined
  try {
    const most = release && domains.length > 0 ? MAX_REPORT : MAX_HEAD
    const head = await readHead(stream, most, () => hangUp(session.id)).catch(() => {
      // The connection broke amid the message: nobody hears the reply.
      throw reply(451, '4.4.2 The message did not come whole')
    })
    if (!release) throw reply(451, '4.3.2 Too many reports at once. Send it again in a few minutes')
    if (stream.sizeExceeded) throw reply(552, `5.3.4 The message is larger than ${MAX_REPORT} bytes`)
    if (targets.length === 0) throw reply(503, '5.5.1 No recipient')
    const others = targets.filter((target) => !('domain' in target || 'awaited' in target))
    if (others.length > 0) {
      const start = head.subarray(0, MAX_HEAD)
      const report = await reader.read(start, network)
      await applyReport(db, others, { report, marks: findMarks(tokens, start.toString('latin1')) })
    }
    if (domains.length > 0) {
      const report = await reader.readAggregate(head, network)
      if (!report) throw new UnreadableReport('no DMARC report')
      const author = await reader.findAuthor(head, network, {
        servers: nameServers.servers,
        delivery: toDelivery(session),
      })
      // What is about another domain is dropped, as if it had been taken.
      for (const domain of domains)
        await db.transaction().execute((db) => takeAggregateReport(db, domain, report, author))
    }
    for (const one of awaited)
      await takeArrival(
        { db, nameServers },
        one,
        toArrival(head, session, visit?.tls ?? null),
        reader.authenticate.bind(reader),
      )
    return 'OK'
  } catch (error) {
    if (error instanceof UnreadableReport) throw reply(554, '5.6.0 The message cannot be read')
    throw error
  } finally {
    release?.()
  }
}

const toDelivery = ({ remoteAddress, hostNameAppearsAs, envelope: { mailFrom } }: SMTPServerSession): Delivery => ({
  ip: remoteAddress,
  helo: hostNameAppearsAs,
  mailFrom: mailFrom ? mailFrom.address : '',
})

const toArrival = (raw: Uint8Array, session: SMTPServerSession, tls: string | null) => ({
  ...{ raw, tls, delivery: toDelivery(session) },
})

/** The beginning of a message; the rest is passed over. `cut` is called where it goes on and on. */
async function readHead(stream: SMTPServerDataStream, most: number, cut: () => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  let [held, seen] = [0, 0]
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    seen += chunk.length
    if (seen > CUT_AT) cut()
    if (held >= most) continue
    chunks.push(chunk)
    held += chunk.length
  }
  return Buffer.concat(chunks).subarray(0, most)
}
