import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import tls from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { localhostCertificate, localhostKey } from './localhost-certificate.ts'

const refusal = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })

/** A mail server on 127.0.0.1 with one account: ada, password `right`. Keeps what it is given; knows nobody@…. */
async function startMailServer(stops: (() => unknown)[], options: SMTPServerOptions = {}) {
  const mails: Buffer[] = []
  const server = new SMTPServer({
    disableReverseLookup: true,
    logger: false,
    authMethods: ['PLAIN', 'LOGIN'],
    key: localhostKey,
    cert: localhostCertificate,
    onAuth: ({ username, password }, _session, done) =>
      username === 'ada' && password === 'right'
        ? done(null, { user: 'ada' })
        : done(refusal(535, '5.7.8 Bad credentials')),
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('nobody') ? refusal(550, '5.1.1 No such user') : null),
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks))
        done(null)
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  stops.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port: (server.server.address() as AddressInfo).port, mails }
}

async function startTcp(stops: (() => unknown)[], onConnection: (socket: net.Socket) => unknown): Promise<number> {
  const server = net.createServer(onConnection).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
  stops.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function closedPort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Mail servers of every temper: plain, STARTTLS and TLS ones (their certificate for localhost is trusted in this process
 * until stop()), one that never says a word, one that speaks HTTP, and a closed port. `allowPrivate` is what
 * COLLECTOR_ALLOW_PRIVATE has to be for them.
 */
export async function startMailServers() {
  const stops: (() => unknown)[] = []
  const trusted = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...trusted, localhostCertificate])
  stops.push(() => tls.setDefaultCACertificates(trusted))
  const plain = await startMailServer(stops, { disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
  const starttls = await startMailServer(stops)
  const wrapped = await startMailServer(stops, { secure: true })
  const silentSockets: net.Socket[] = []
  const silent = await startTcp(stops, (socket) => silentSockets.push(socket.resume()))
  const talker = await startTcp(stops, (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const closed = await closedPort()
  const ports = [plain.port, starttls.port, wrapped.port, silent, talker, closed]
  return {
    plain,
    starttls,
    wrapped,
    silent,
    silentSockets,
    talker,
    closed,
    allowPrivate: ports.flatMap((port) => [`127.0.0.1:${port}`, `localhost:${port}`]).join(','),
    async stop() {
      for (const stop of stops) await stop()
    },
  }
}
