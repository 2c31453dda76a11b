/**
 * The site of the crawl benchmark, in a process of its own: 2,000 pages of 5 to 60 kB (log-uniform) with 10 links each, two of
 * them a tree that reaches every page, 500 addresses and 400 phone numbers, 40 links below a path that robots.txt forbids,
 * and what makes careless readers find what is none. Told `{ latency }` it starts anew; told `report`, it says what it saw.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const PAGES = 2_000
const EMAILS = 500
const PHONES = 400
const FORBIDDEN = 40

/** The same numbers on every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
const random = numbers(20_261_121)
const below = (n: number) => Math.floor(random() * n)
const WORDS =
  'the of our work for people house garden water light machine since 1998 customers quality project service region family company history open Monday price 24,90 EUR order steel wood paper new team member years experience from with and small large every season market'.split(
    ' ',
  )
const sentence = () => `${Array.from({ length: 8 + below(10) }, () => WORDS[below(WORDS.length)]).join(' ')}.`

export const emails = Array.from({ length: EMAILS }, (_, i) => `person${i}@firm-${i % 40}.example-site.de`)
export const phones = Array.from({ length: PHONES }, (_, i) => `+4930231${String(25_000 + i)}`)

const email = (i: number, how: number): string => {
  const address = emails[i] as string
  if (how === 0) return `<p>Write to <a href="mailto:${address}">${address}</a>.</p>`
  if (how === 1) return `<li>${sentence()} ${address} ${sentence()}</li>`
  return `<a class="mail" href="mailto:${address}?subject=Hello">e-mail</a>`
}
const phone = (i: number, how: number): string => {
  const number = phones[i] as string
  return how === 0
    ? `<a href="tel:${number}">call</a>`
    : `<p>Telephone: +49 30 ${number.slice(5, 8)} ${number.slice(8)}</p>`
}
const filler = [
  () => `<p>${sentence()} ${sentence()} ${sentence()}</p>`,
  () => `<div class="card"><h3>${sentence()}</h3><p>${sentence()}</p><span>${below(900)},${below(90)} EUR</span></div>`,
  () =>
    `<figure><img src="/img/photo-${below(999)}@2x.png" alt="${sentence()}" width="640" height="480"><figcaption>${sentence()}</figcaption></figure>`,
  () => `<ul>${Array.from({ length: 5 }, () => `<li>${sentence()}</li>`).join('')}</ul>`,
  () =>
    `<table><tr><td>Order no. ${below(1e9)}</td><td>${2000 + below(27)}-0${1 + below(9)}-1${below(9)}</td></tr></table>`,
  () => `<script src="https://cdn.example.net/npm/vue@3.4.${below(30)}/dist/vue.js"></script>`,
  () => `<script>window.state = {"id": ${below(1e9)}, "name": "${sentence()}", "tags": [1, 2, 3]};</script>`,
  () => `<style>.c${below(99)} { color: #${below(999)}; margin: ${below(20)}px }</style>`,
]

function buildPage(i: number, planted: string[]): string {
  const size = 5_000 * 12 ** random()
  const links = [2 * i + 1, 2 * i + 2]
    .filter((child) => child < PAGES)
    .concat(Array.from({ length: 8 }, () => below(PAGES)))
    .map((to) => `<a href="/p/${to}.html">${sentence().slice(0, 20)}</a>`)
  if (i < FORBIDDEN) links.push(`<a href="/private/${i}.html">inside</a>`)
  const parts = [...links, ...planted]
  const page = [
    `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Page ${i}</title><link rel="stylesheet" href="/s.css"></head><body><nav class="menu">`,
  ]
  let length = 200
  const between = Math.max(1, Math.floor(size / 260 / (parts.length + 1)))
  while (length < size || parts.length > 0) {
    for (let n = 0; n < between && length < size; n++) {
      const part = (filler[below(filler.length)] as () => string)()
      page.push(part)
      length += part.length
    }
    const part = parts.shift()
    if (part) page.push(part)
    length += part?.length ?? 0
  }
  return `${page.join('\n')}</nav><footer>© 2026</footer></body></html>`
}

function build(): Map<string, Buffer> {
  const planted: string[][] = Array.from({ length: PAGES }, () => [])
  for (let i = 0; i < EMAILS; i++) planted[below(PAGES)]?.push(email(i, i % 3))
  for (let i = 0; i < PHONES; i++) planted[below(PAGES)]?.push(phone(i, i % 2))
  const pages = new Map<string, Buffer>()
  for (let i = 0; i < PAGES; i++) pages.set(i === 0 ? '/' : `/p/${i}.html`, Buffer.from(buildPage(i, planted[i] ?? [])))
  pages.set('/p/0.html', pages.get('/') as Buffer)
  return pages
}

/** What the site saw in a run. */
export interface Report {
  pages: number
  twice: number
  forbidden: number
  mostAtOnce: number
  /** Seconds between the first request and the end of the last answer. */
  seconds: number
}

function serve(): void {
  const pages = build()
  let latency = 0
  let seen = new Map<string, number>()
  let [now, mostAtOnce, forbidden, first, last] = [0, 0, 0, 0, 0]
  const server = createServer((request, response) => {
    first ||= performance.now()
    mostAtOnce = Math.max(mostAtOnce, ++now)
    response.on('close', () => {
      now--
      last = performance.now()
    })
    const path = request.url ?? ''
    const page = pages.get(path)
    if (path.startsWith('/private/')) forbidden++
    if (page) seen.set(path, (seen.get(path) ?? 0) + 1)
    const respond = () => {
      if (path === '/robots.txt')
        response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /private/\n')
      else if (page)
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length }).end(page)
      else response.writeHead(404, { 'content-type': 'text/html' }).end('<p>nothing here</p>')
    }
    if (latency > 0) setTimeout(respond, latency)
    else respond()
  })
  server.keepAliveTimeout = 30_000
  process.on('message', (told: { latency: number } | 'report') => {
    if (told === 'report') {
      const asked = [...seen.values()]
      process.send?.({
        pages: asked.length,
        twice: asked.reduce((sum, times) => sum + times - 1, 0),
        forbidden,
        mostAtOnce,
        seconds: (last - first) / 1000,
      } satisfies Report)
    } else {
      latency = told.latency
      seen = new Map()
      ;[mostAtOnce, forbidden, first, last] = [0, 0, 0, 0]
      process.send?.('ready')
    }
  })
  process.on('disconnect', () => process.exit())
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
}

if (process.argv[1] === import.meta.filename) serve()
