/** Contender: the least that can be done. Sixteen loops over undici, links and addresses by regular expressions. */
import { Pool } from 'undici'

const start = process.argv[2] as string
const { origin, pathname } = new URL(start)
const pool = new Pool(origin, { connections: 16 })
const known = new Set([pathname])
const queue = [pathname]
const values = new Set<string>()
let active = 0

async function loop(done: () => void): Promise<void> {
  for (;;) {
    const path = queue.shift()
    if (path === undefined) {
      if (active === 0) return done()
      await new Promise<void>((resolve) => setImmediate(resolve))
      continue
    }
    active++
    const { body } = await pool.request({ path, method: 'GET' })
    const html = await body.text()
    for (const [, link = ''] of html.matchAll(/<a\s[^>]*href="([^"]+)"/g)) {
      const url = URL.parse(link, start)
      if (url?.origin !== origin || url.pathname.startsWith('/private/') || known.has(url.pathname)) continue
      known.add(url.pathname)
      queue.push(url.pathname)
    }
    for (const [value] of html.matchAll(/[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,190}\.[a-z]{2,24}/gi)) values.add(value)
    for (const [, value = ''] of html.matchAll(/href="tel:([^"]+)"/g)) values.add(value)
    active--
  }
}
await Promise.race(Array.from({ length: 16 }, () => new Promise<void>((resolve) => void loop(resolve))))
await pool.close()
console.log(JSON.stringify({ values: [...values], peakKb: process.resourceUsage().maxRSS }))
