import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { expect, test } from 'vitest'
import { openWatchedSocket } from './index.ts'

/** A server that takes connections and never says a word. */
async function silentServer() {
  const sockets: net.Socket[] = []
  const server = net.createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, sockets, port: (server.address() as AddressInfo).port }
}

test('database socket: a silent one stays while its server can be connected to, and ends when it cannot', async () => {
  const { server, sockets, port } = await silentServer()
  const socket = openWatchedSocket(20)
  let problem: Error | undefined
  socket.on('error', (error) => {
    problem = error
  })
  socket.connect(port, '127.0.0.1')
  // Its own connection, and the looks of three silences.
  while (sockets.length < 4) await once(server, 'connection')
  expect(problem).toBeUndefined()
  // `once` would throw its error.
  const closed = new Promise((resolve) => socket.on('close', resolve))
  server.close()
  await closed
  expect(problem?.message).toBe('the database does not respond, and cannot be connected to')
  for (const one of sockets) one.destroy()
})

test('database socket: one that cannot be opened ends', async () => {
  // Nobody is at this address of the documentation (RFC 5737), or there is no way to it.
  const lost = openWatchedSocket(20)
  lost.connect(5432, '192.0.2.1')
  const [error] = await once(lost, 'error')
  expect(error).toBeInstanceOf(Error)
})
