/**
 * A blog post's page, rendered by the server for any visitor, against a bare Fastify route that sends the same bytes.
 * Same load generator, processes of their own, turn by turn; plain and packed. `--seconds N`, `--connections N`.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Fastify from 'fastify'
import { accounts } from '#contracts/accounts/accounts.ts'
import { blog } from '#contracts/blog/blog.ts'
import { apiClient } from '#contracts/client.ts'
import { loadConfig } from '#server/platform/config.ts'
import { start } from '#server/start.ts'
import { report } from './measure.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '5' }, connections: { type: 'string', default: '50' } },
})
const ADMIN = { email: 'a@example.com', password: 'a long enough phrase' }
const BAR = 0.3
const encodings = ['identity', 'br'] as const
type Encoding = (typeof encodings)[number]

/** Responds with the bytes it is given, and does nothing else. */
async function serveBare(): Promise<void> {
  const app = Fastify()
  const bodies = new Map<string, Buffer>()
  app.get('/:encoding', (request, reply) => {
    const { encoding } = request.params as { encoding: string }
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.type('text/html; charset=utf-8').send(bodies.get(encoding))
  })
  process.on('message', ({ encoding, body }: { encoding: string; body: string }) => {
    bodies.set(encoding, Buffer.from(body, 'base64'))
    process.send?.('stored')
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  process.send?.((app.server.address() as AddressInfo).port)
}

/** The product with a dozen posts; the first is the one that is read. */
async function serveOurs(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-bench-'))
  const config = loadConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'error',
    SMTP_URL: 'smtp://127.0.0.1:1',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  })
  const running = await start(config, 'built')
  const client = (token?: string) =>
    apiClient((path, init) =>
      fetch(running.address + path, {
        ...init,
        headers: { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) },
      }),
    )
  const { token } = await client()(accounts.login, { body: ADMIN })
  for (let n = 0; n < 12; n++) {
    const form = new FormData()
    form.append('title', `Post ${n}`)
    form.append('content', `<h2>Part</h2><p>${'Words of a post that somebody reads. '.repeat(30)}</p>`.repeat(8))
    await client(token)(blog.create, { form })
  }
  process.on('message', async () => {
    await running.stop()
    rmSync(dataDir, { recursive: true, force: true })
    process.exit(0)
  })
  process.send?.(Number(new URL(running.address).port))
}

/** Requests one path on `connections` connections, one request at a time each. Returns complete responses per second. */
async function load(port: number, path: string, encoding: Encoding, seconds: number): Promise<number> {
  let answered = 0
  const started = performance.now()
  const until = started + seconds * 1000
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${encoding}\r\n\r\n`
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let [head, missing] = ['', -1]
      const read = (chunk: Buffer) => {
        if (missing === -1) {
          head += chunk.toString('latin1')
          const end = head.indexOf('\r\n\r\n')
          if (end === -1) return
          const length = /^content-length: (\d+)/im.exec(head)?.[1]
          if (!head.startsWith('HTTP/1.1 200') || !length) return void reject(new Error(head.slice(0, 200)))
          missing = Number(length) - (head.length - end - 4)
        } else missing -= chunk.length
        if (missing > 0) return
        answered++
        head = ''
        missing = -1
        if (performance.now() < until) socket.write(request)
        else socket.end(resolve)
      }
      socket
        .setNoDelay(true)
        .on('connect', () => socket.write(request))
        .on('error', reject)
        .on('data', read)
    })
  await Promise.all(Array.from({ length: Number(values.connections) }, one))
  return answered / ((performance.now() - started) / 1000)
}

async function compare(): Promise<void> {
  const [bare, ours] = ['bare', 'ours'].map((role) => fork(import.meta.filename, [role])) as [
    ReturnType<typeof fork>,
    ReturnType<typeof fork>,
  ]
  const [[barePort], [ourPort]] = (await Promise.all([once(bare, 'message'), once(ours, 'message')])) as [
    [number],
    [number],
  ]
  const seconds = Number(values.seconds)
  for (const encoding of encodings) {
    // Node's fetch unpacks, and the rival has to answer the very bytes: asked for plainly, then packed by the same server.
    const body = await raw(ourPort, '/blog/post-0', encoding)
    bare.send({ encoding, body: body.toString('base64') })
    await once(bare, 'message')
    const rates = { bare: 0, ours: 0 }
    await load(barePort, `/${encoding}`, encoding, 1)
    await load(ourPort, '/blog/post-0', encoding, 1)
    const rounds = 3
    for (let round = 0; round < rounds; round++) {
      rates.bare += (await load(barePort, `/${encoding}`, encoding, seconds)) / rounds
      rates.ours += (await load(ourPort, '/blog/post-0', encoding, seconds)) / rounds
    }
    const size = `${Math.round(body.length / 1000)} kB, ${encoding}`
    report(`bare Fastify route (${size})`, `${Math.round(rates.bare)} answers/s`)
    report(`blog post page (${size})`, `${Math.round(rates.ours)} answers/s`, { of: rates.ours / rates.bare, bar: BAR })
  }
  bare.kill()
  ours.send('stop')
}

/** The bytes of an answer's body as they come over the wire. */
async function raw(port: number, path: string, encoding: Encoding): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: ${encoding}\r\n\r\n`)
  const result = Buffer.concat(await socket.toArray())
  return result.subarray(result.indexOf('\r\n\r\n') + 4)
}

if (positionals[0] === 'bare') await serveBare()
else if (positionals[0] === 'ours') await serveOurs()
else await compare()
