import { once } from 'node:events'
import net from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { connect } from '../index.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const TIMEOUTS = { connect: 5_000, greeting: 5_000, command: 5_000, data: 5_000 }
const local = (port: number, timeouts: Partial<typeof TIMEOUTS> = {}) => ({
  host: '127.0.0.1',
  port,
  secure: 'none' as const,
  timeouts: { ...TIMEOUTS, ...timeouts },
})
const request = () => ({
  from: 'ann@sender.example',
  to: 'bob@example.com',
  data: Buffer.from('Subject: x\r\n\r\nHello\r\n'),
})

/** A server that says a greeting, takes EHLO, and then what `flood` gives, for as long as it is listened to. */
async function flooding(flood: (socket: net.Socket, send: (text: string) => void) => void) {
  let sent = 0
  const closed = Promise.withResolvers<void>()
  const listener = net.createServer((socket) => {
    socket.on('error', () => {}).on('close', () => closed.resolve())
    socket.write('220 ready\r\n')
    socket.once('data', () => {
      socket.write('250 hello\r\n')
      flood(socket, (text) => {
        sent += text.length
        socket.write(text)
      })
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  cleanups.push(() => new Promise<void>((resolve) => listener.close(() => resolve())))
  return { port: (listener.address() as net.AddressInfo).port, closed: closed.promise, sent: () => sent }
}

test.each([
  ['replies nobody asked for', '250 ok\r\n'.repeat(50)],
  ['long replies nobody asked for', `250 ${'x'.repeat(40_000)}\r\n`],
  ['a reply whose lines never end', `250-${'x'.repeat(100)}\r\n`.repeat(20)],
  ['a line that never ends', '2'.repeat(5_000)],
])('smtp: the connection to a server that floods with %s is closed', async (_what, text) => {
  const server = await flooding((socket, send) => {
    // One piece after the other, as fast as they are taken, without end.
    const go = () => {
      if (socket.destroyed) return
      send(text)
      setImmediate(go)
    }
    go()
  })
  const connection = await connect(local(server.port))
  await server.closed
  expect(connection.usable).toBe(false)
  expect(await connection.send(request())).toMatchObject({ kind: 'not_sent' })
})

test('smtp: a reply that drips in has the same time limit as a missing reply', async () => {
  const server = await flooding((socket, send) => {
    socket.once('data', () => {
      const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : send('250-a\r\n')), 20)
    })
  })
  const connection = await connect(local(server.port, { command: 500 }))
  expect(await connection.send(request())).toMatchObject({
    kind: 'not_sent',
    response: expect.stringContaining('did not respond in time'),
  })
  await server.closed
})
