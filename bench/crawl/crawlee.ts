/** Contender: Crawlee's CheerioCrawler with its own finder of contacts, `tuned` as its guide to performance says. */
import { CheerioCrawler, Configuration, LogLevel, log } from '@crawlee/cheerio'
import { social } from '@crawlee/utils'

log.setLevel(LogLevel.OFF)
const start = process.argv[2] as string
const isTuned = process.argv[3] === 'tuned'
const values = new Set<string>()
const crawler = new CheerioCrawler(
  {
    maxConcurrency: 16,
    ...(isTuned && { minConcurrency: 16 }),
    respectRobotsTxtFile: true,
    async requestHandler({ body, enqueueLinks }) {
      const { emails, phones } = social.parseHandlesFromHtml(body.toString())
      for (const value of [...emails, ...phones]) values.add(value)
      await enqueueLinks({ strategy: 'same-hostname' })
    },
  },
  new Configuration({ persistStorage: false, ...(isTuned && { availableMemoryRatio: 0.8 }) }),
)
await crawler.run([start])
console.log(JSON.stringify({ values: [...values], peakKb: process.resourceUsage().maxRSS }))
