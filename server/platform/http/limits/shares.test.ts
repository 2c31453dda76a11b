import { once } from 'node:events'
import { request as rawRequest } from 'node:http'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { untilPasses } from '#server/testing/until.ts'
import { serveEvents } from '../../live/live.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const stream = (person: Person, signal: AbortSignal) =>
  fetch(`${t.address}/api/whatsapp/live`, {
    headers: { authorization: `Bearer ${person.token}` },
    signal,
  })

test('event streams: a sixth stream of a user is refused until one of the others ends', async () => {
  const [person, other] = [await t.person(), await t.person()]
  const open = Array.from({ length: 5 }, () => new AbortController())
  // Held on to: a response that nobody refers to is collected, and its stream ends.
  const responses = await Promise.all(open.map((one) => stream(person, one.signal)))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const sixth = await stream(person, new AbortController().signal)
  expect(sixth.status).toBe(429)
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
  const others = new AbortController()
  expect((await stream(other, others.signal)).status).toBe(200)
  open[0]?.abort()
  const again = new AbortController()
  await untilPasses(async () => expect((await stream(person, again.signal)).status).toBe(200))
  for (const one of [...open, others, again]) one.abort()
  expect(responses).toHaveLength(5)
})

/** Begins an upload of a length and sends only its first line. */
function beginUpload(person: Person, length: number) {
  const request = rawRequest(`${t.address}/api/pictures`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${person.token}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(length),
    },
  })
  request.on('error', () => undefined)
  request.write('--x\r\n')
  return request
}

test('forms: the bytes a user uploads at once are limited, and released when they disconnect', async () => {
  const [person, other] = [await t.person(), await t.person()]
  const first = beginUpload(person, 100_000_000)
  // The first is taken when the second is refused; which of two comes first is the network's choice.
  const refusal = async (sender: Person, length: number) => {
    const request = beginUpload(sender, length)
    const [response] = (await once(request, 'response')) as [{ statusCode: number; headers: Record<string, string> }]
    request.destroy()
    return response
  }
  await untilPasses(async () =>
    expect((await Promise.race([refusal(person, 100_000_000), refusal(person, 100_000_000)])).statusCode).toBe(429),
  )
  const form = new FormData()
  form.append('image', new Blob(['no image']), 'a.png')
  const send = (sender: Person) =>
    fetch(`${t.address}/api/pictures`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sender.token}` },
      body: form,
    })
  // Small ones still find room, and so does everybody else.
  expect((await send(person)).status).toBe(400)
  expect((await send(other)).status).toBe(400)
  first.destroy()
})

test('event streams: a stream whose client reads nothing is closed', async () => {
  const app = Fastify()
  let isEnded: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    isEnded = resolve
  })
  app.get('/', (_, reply) => {
    serveEvents(reply, ({ send }) => {
      const timer = setInterval(() => send('big', 'x'.repeat(500_000)), 1)
      return () => {
        clearInterval(timer)
        isEnded()
      }
    })
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  socket.pause()
  await ended
  socket.destroy()
  await app.close()
})
