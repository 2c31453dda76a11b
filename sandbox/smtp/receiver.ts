import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Session, type SessionParts } from './session.ts'
import { Trials } from './trials.ts'

const MAX_CONNECTIONS = 1000
const IDLE_MS = 5 * 60_000

export interface Receiver {
  port: number
  /** Takes no more connections, says good-bye to the open ones and waits for them. */
  stop(): Promise<void>
}

/** An SMTP server on 127.0.0.1. `port` 0 takes any free one. */
export async function startReceiver(
  port: number,
  greeting: string,
  deliver: SessionParts['deliver'],
): Promise<Receiver> {
  const open = new Map<Socket, Session>()
  const trials = new Trials()
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    if (open.size >= MAX_CONNECTIONS) return void socket.end('421 4.7.0 Too many connections\r\n')
    const end = (how: 'after' | 'now') => (how === 'now' ? socket.destroy() : socket.end())
    const session = new Session({
      greeting,
      trials,
      deliver: (mail, answered) =>
        deliver(mail, (reply) => {
          answered(reply)
          socket.resume()
        }),
      write: (text) => void (socket.writable && socket.write(text, 'latin1')),
      end,
    })
    open.set(socket, session)
    socket.setTimeout(IDLE_MS, () => session.close('421 4.4.2 Nothing was said for five minutes'))
    socket.on('close', () => open.delete(socket))
    socket.on('data', (chunk) => {
      session.feed(chunk)
      if (session.full) socket.pause()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.on('error', () => undefined)
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const session of open.values()) session.close('421 4.3.2 The server is stopping')
      // A client that does not hang up must not hold the stop.
      const late = setTimeout(() => {
        for (const socket of open.keys()) socket.destroy()
      }, 1_000)
      await closed
      clearTimeout(late)
    },
  }
}
