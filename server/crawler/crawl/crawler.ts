import { availableParallelism } from 'node:os'
import type { EgressRules } from '#server/platform/egress.ts'
import { createFetcher } from '../fetch/fetcher.ts'
import { isPrivateAddress } from '../frontier/scope.ts'
import { Reader } from '../read/reader.ts'
import { RobotsRules } from '../robots/asking.ts'
import { Hosts, type Pace, POLITE } from './hosts.ts'
import { Crawl } from './run.ts'
import type { Crawler } from './types.ts'

/** What a crawler is made of; what is omitted is the product's own, and only benchmarks and tests change it. */
export interface CrawlerOptions {
  rules: EgressRules
  /** `Postlark/1.0 (+https://example.com/bot)`: names us and says where to complain. */
  userAgent: string
  pace?: Pace
  /** Requests at once of one crawl, over all hosts. */
  atOnce?: number
  /** Milliseconds for one page. */
  timeout?: number
  /** Bytes of one page, unpacked. */
  mostBytes?: number
}

/** The crawler of a process. */
export function createCrawler(options: CrawlerOptions): Crawler {
  const { rules: egress, userAgent, pace = POLITE, atOnce = 16, timeout = 20_000, mostBytes = 2_000_000 } = options
  const fetcher = createFetcher(egress, {
    userAgent,
    timeout,
    mostBytes,
    connectionsPerHost: pace.atOnce,
  })
  const hosts = new Hosts(pace)
  const reader = new Reader(Math.max(1, Math.min(2, availableParallelism() - 1)))
  const rules = new RobotsRules(fetcher, hosts)
  const parts = { fetcher, hosts, rules, atOnce, isPrivate: (url: string) => isPrivateAddress(url, egress) }
  return {
    crawl: (given) => new Crawl({ ...parts, reader: reader.of(given.workspaceId ?? '') }, given).run(),
    async close() {
      await Promise.all([fetcher.close(), reader.close()])
    },
  }
}
