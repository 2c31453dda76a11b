/** Contender: the product's crawl and extraction over a frontier in memory. Prints what it found. */
import { createCrawler } from '#server/crawler/crawl/crawler.ts'
import { MemoryFrontier } from '#server/crawler/testing.ts'

const start = process.argv[2] as string
const { host } = new URL(start)
const crawler = createCrawler({
  rules: { allow: [host], dnsServers: [] },
  userAgent: 'Postlark/1.0 (+http://localhost/bot)',
  pace: { atOnce: 16, perSecond: Number.POSITIVE_INFINITY, longestDelay: 0 },
})
const frontier = new MemoryFrontier([{ url: start, depth: 0, priority: 0 }], false)
await crawler.crawl({
  settings: { hosts: [host], subdomains: false, include: [], exclude: [], maxPages: 10_000, maxDepth: 50 },
  frontier,
  signal: new AbortController().signal,
})
await crawler.close()
console.log(JSON.stringify({ values: [...frontier.values], peakKb: process.resourceUsage().maxRSS }))
