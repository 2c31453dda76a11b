import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodePage } from './decode.ts'
import { createFetcher, type Fetched, type Fetcher, FetchProblem } from './fetcher.ts'

const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
/** Unpacks to 200 MB, which unpack to nothing: members without content. */
const hollow = gzipSync(Buffer.alloc(200_000_000, gzipSync('')))
const packed = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }
const responses: Record<string, RequestListener> = {
  '/page': (_request, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end('<p>grüße</p>'),
  '/moved': (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/secret' }).end(),
  '/busy': (_request, response) => response.writeHead(429, { 'retry-after': '7' }).end('later'),
  '/picture': (_request, response) => response.setHeader('content-type', 'image/png').end('png'),
  '/never': () => undefined,
  '/endless': (_request, response) => {
    response.setHeader('content-type', 'text/html')
    const write = () => {
      while (response.write('<p>more</p>'.repeat(1_000)));
      response.once('drain', write)
    }
    write()
  },
  '/bomb': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb)
  },
  '/garbage': (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end('this is not gzip'),
  '/thrice': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip, br, zstd' })
      .end(zstdCompressSync(brotliCompressSync(gzipSync('<p>packed</p>')))),
  '/chain': (_request, response) => {
    const codings = Array.from({ length: 2_500 }, () => 'zstd').join(',')
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': codings }).end('x')
  },
  '/between': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip, gzip' }).end(hollow)
  },
  '/cut': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' }).write('<p>so far</p>')
    setImmediate(() => response.destroy())
  },
  '/agent': (request, response) => response.setHeader('content-type', 'text/plain').end(request.headers['user-agent']),
  ...Object.fromEntries(
    Object.entries(packed).map(([name, pack]): [string, RequestListener] => [
      `/${name}`,
      (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-encoding': name })
          .end(pack(Buffer.from('<p>packed</p>'))),
    ]),
  ),
}
const server = createServer((request, response) => {
  const result = responses[request.url ?? '']
  if (result) result(request, response)
  else response.end()
})
let site: string
let fetcher: Fetcher
/** One that gives up soon: only for pages that never come. */
let hasty: Fetcher

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  site = `http://127.0.0.1:${port}`
  const egress = { allow: [`127.0.0.1:${port}`], dnsServers: [] }
  const limits = { userAgent: 'Postlark/test', mostBytes: 1_000_000, connectionsPerHost: 4 }
  fetcher = createFetcher(egress, { ...limits, timeout: 60_000 })
  hasty = createFetcher(egress, { ...limits, timeout: 250 })
})
afterAll(async () => {
  await Promise.all([fetcher.close(), hasty.close()])
  server.closeAllConnections()
  server.close()
})

const text = (page: Fetched) => decodePage(page.bytes, page.contentType)
const problem = (url: string, by = fetcher) =>
  by.get(url).then(
    () => undefined,
    (error) => (error instanceof FetchProblem ? error.kind : error),
  )

test('fetcher: a page is returned as text and requested with our user agent', async () => {
  const page = await fetcher.get(`${site}/page`)
  expect([page.status, text(page), page.cut]).toEqual([200, '<p>grüße</p>', false])
  expect(text(await fetcher.get(`${site}/agent`))).toBe('Postlark/test')
})

test.each(Object.keys(packed))('fetcher: the encoding %s is unpacked', async (name) => {
  expect(text(await fetcher.get(`${site}/${name}`))).toBe('<p>packed</p>')
})

test('fetcher: three encodings are unpacked in the order of RFC 9110', async () => {
  expect(text(await fetcher.get(`${site}/thrice`))).toBe('<p>packed</p>')
})

test('fetcher: a redirect is returned and not followed, and Retry-After is read', async () => {
  expect(await fetcher.get(`${site}/moved`)).toMatchObject({ status: 302, location: 'http://10.0.0.1/secret' })
  expect(await fetcher.get(`${site}/busy`)).toMatchObject({ status: 429, retryAfter: 7_000 })
})

test('fetcher: an endless page and a compression bomb are read up to the limit', async () => {
  for (const path of ['/endless', '/bomb'])
    expect(await fetcher.get(`${site}${path}`)).toMatchObject({ cut: true, bytes: { length: 1_000_000 } })
})

test('fetcher: a page that breaks off is returned as far as it came', async () => {
  expect(text(await fetcher.get(`${site}/cut`))).toBe('<p>so far</p>')
})

test('fetcher: a server that does not respond is reported as slow', async () => {
  expect(await problem(`${site}/never`, hasty)).toBe('slow')
})

test.each([
  ['/picture', 'type'],
  ['/garbage', 'broken'],
  ['/chain', 'broken'],
  ['/between', 'broken'],
])('fetcher: the page %s is reported as %s', async (path, kind) => {
  expect(await problem(`${site}${path}`)).toBe(kind)
})

test.each([
  'http://127.0.0.1:1/',
  'http://localhost:9/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::1]:80/',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/',
])('fetcher: the private address %s is blocked', async (url) => {
  expect(await problem(url)).toBe('blocked')
})

test('fetcher: a host that refuses connections is reported as unreachable', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const alone = createFetcher(
    { allow: [`127.0.0.1:${port}`], dnsServers: [] },
    { userAgent: 'x', timeout: 60_000, mostBytes: 1_000, connectionsPerHost: 1 },
  )
  await expect(alone.get(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ kind: 'unreachable' })
  await alone.close()
})

test.each([
  ['UTF-8 by header', Buffer.from('grüße'), 'text/html; charset=utf-8', 'grüße'],
  ['Latin-1 by header', Buffer.from('grüße', 'latin1'), 'text/html; charset=iso-8859-1', 'grüße'],
  ['UTF-8 that is none', Buffer.from('grüße', 'latin1'), 'text/html; charset=utf-8', 'grüße'],
  ['Latin-1 that is UTF-8', Buffer.from('grüße'), 'text/html; charset=iso-8859-1', 'grüße'],
  ['a mark before a lying header', Buffer.from('\ufeffgrüße', 'utf16le'), 'text/html; charset=utf-8', 'grüße'],
  ['UTF-16 that is none', Buffer.from('grüße'), 'text/html; charset=utf-16', 'grüße'],
  ['UTF-16 by header', Buffer.from('grüße', 'utf16le'), 'text/html; charset=utf-16le', 'grüße'],
  [
    'Shift_JIS by meta',
    Buffer.concat([Buffer.from('<meta charset="shift_jis">'), Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67])]),
    'text/html',
    '<meta charset="shift_jis">テスト',
  ],
  ['an encoding nobody knows', Buffer.from('grüße'), 'text/html; charset=klingon', 'grüße'],
])('fetcher: %s is decoded', (_, bytes, contentType, text) => {
  expect(decodePage(bytes, contentType)).toBe(text)
})
