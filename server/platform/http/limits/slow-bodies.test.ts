import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limitSlowBodies } from './slow-bodies.ts'

/** Less than a steady form takes, and more than a stall of a busy machine. Both of them are long for a fast body. */
const SHORT = { totalMs: 500, idleMs: 2_500 }
const LONG = { totalMs: 10_000, idleMs: 10_000 }
const apps: FastifyInstance[] = []

/** A server with these limits; returns its port. */
async function listen(limits: typeof SHORT): Promise<number> {
  const app = Fastify({ requestTimeout: 0, forceCloseConnections: true })
  apps.push(app)
  limitSlowBodies(app, limits)
  app.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post('/', async (request) => ({ got: JSON.stringify(request.body).length }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as { port: number }).port
}

let port: number
beforeAll(async () => {
  port = await listen(SHORT)
})
afterAll(() => Promise.all(apps.map((app) => app.close())))

/** Begins a request with the headers only. */
async function begin(type: string, length: number, to = port): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(to, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  const reply = new Promise<string>((resolve) => socket.on('close', () => resolve(text)))
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
  )
  return { socket, answer: reply }
}

async function drip(socket: Socket, text: string): Promise<void> {
  for (const char of text) {
    if (socket.destroyed) return
    socket.write(char)
    await wait(30)
  }
}

test('slow bodies: a request body that stalls or drips is ended with 408', async () => {
  const stalled = await begin('application/json', 100)
  stalled.socket.write('{"a":')
  const dripped = await begin('application/json', 200)
  void drip(dripped.socket, `"${'x'.repeat(198)}"`)
  const form = await begin('multipart/form-data; boundary=b', 100)
  form.socket.write('--b')
  expect(await stalled.answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(await dripped.answer).toMatch(/^HTTP\/1\.1 408 .*"code":"timeout"/s)
  expect(await form.answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('slow bodies: a form that sends steadily is accepted, and so is a fast body', async () => {
  const form = await begin('multipart/form-data; boundary=b', 40)
  await drip(form.socket, 'x'.repeat(40))
  expect(await form.answer).toMatch(/^HTTP\/1\.1 200 .*"got":42/s)
  const quick = await begin('application/json', 5, await listen(LONG))
  quick.socket.write('"abc"')
  expect(await quick.answer).toMatch(/^HTTP\/1\.1 200 .*"got":5/s)
})
