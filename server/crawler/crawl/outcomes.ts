import { LRUCache } from 'lru-cache'
import type { Scope } from '../frontier/scope.ts'
import { canonicalUrl, findTrap } from '../frontier/urls.ts'
import type { Rules } from '../robots/asking.ts'
import { toPaceHost } from './hosts.ts'
import { isSamePage, objection, orders, skip } from './judge.ts'
import type { Troubles } from './troubles.ts'
import type { CrawlOptions, NewPage, PageOutcome, QueuedPage } from './types.ts'
import { Variety } from './variety.ts'
import type { Visit } from './visit.ts'

const MAX_LINKS = 500
const MAX_MOVES = 10

/** What outcomes are decided by, besides the pages themselves. */
interface OutcomeParts {
  scope: Scope
  troubles: Troubles
  isPrivate: (address: string) => boolean
  /** Takes the pages of a host that forbids collecting out of the frontier. */
  forget: (host: string, text: string) => void
}

/** What becomes of the pages of one crawl, with what it remembers of those before. */
export class Outcomes {
  readonly #parts: OutcomeParts
  readonly #maxDepth: number
  readonly #variety = new Variety()
  readonly #contents: Set<string>
  /** Hosts that forbid collecting, with their words. */
  readonly #closed = new Map<string, string>()
  /** Addresses that others led to, with how many did in a row. */
  readonly #moves = new LRUCache<string, number>({ max: 10_000 })
  /** Pages that count against the budget. */
  pagesRead: number

  constructor({ settings, resumed }: CrawlOptions, parts: OutcomeParts) {
    this.#parts = parts
    this.#maxDepth = settings.maxDepth
    this.pagesRead = resumed?.pagesRead ?? 0
    this.#contents = new Set(resumed?.contentHashes.map((hash) => hash.toString('base64')))
    for (const { host, text } of resumed?.forgotten ?? []) this.#closed.set(host, text)
  }

  /** Why a page in line is not asked for; undefined: it may be. */
  refusal(page: QueuedPage, { robots, closed }: Rules): PageOutcome | undefined {
    const { pathname, search } = new URL(page.url)
    const host = toPaceHost(page.url)
    const notice = this.#closed.get(host)
    if (notice) return skip(page, 'notice', notice)
    if (closed) return skip(page, closed.reason, closed.text)
    const trap = page.depth > 0 ? findTrap(page.url) : undefined
    if (trap) return skip(page, 'trap', `Not crawled: ${trap}.`)
    if (this.#variety.isTrap(page.url)) return skip(page, 'trap', 'Pages of this kind only repeat content.')
    if (!robots.allows(pathname + search)) return skip(page, 'robots', 'Its robots.txt forbids crawling it.')
    const trouble = this.#parts.troubles.of(host)
    return trouble ? skip(page, 'error', trouble) : undefined
  }

  /** A page that leads to another one: that is asked for like any page heard of. */
  moved(page: QueuedPage, to: string): PageOutcome {
    if (this.#parts.isPrivate(to)) return skip(page, 'blocked', 'It leads to an address that is not public.')
    const target = canonicalUrl(to)
    if (!target) return skip(page, 'error', 'It leads to something that is not a web page.')
    if (target === page.url) return skip(page, 'error', 'It leads to itself.')
    const isStart = page.depth === 0
    if (!this.#parts.scope.hasHost(target))
      return skip(page, 'error', `It leads to another site: ${new URL(target).host}.`)
    if (!isStart && !this.#parts.scope.has(target)) return skip(page, 'error', 'It leads out of the chosen paths.')
    const moves = (this.#moves.get(page.url) ?? 0) + 1
    if (moves > MAX_MOVES) return skip(page, 'trap', 'It redirects endlessly.')
    this.#moves.set(target, moves)
    this.#variety.isNew(target)
    return {
      ...skip(page, 'duplicate', `It leads to ${target}, which is crawled instead.`),
      links: [{ url: target, depth: page.depth, priority: page.priority }],
    }
  }

  /** A page that was read. */
  read(page: QueuedPage, { fetched, digest }: Extract<Visit, { kind: 'read' }>): PageOutcome {
    const { title, canonical, findings } = digest
    const closed = this.#closed.get(toPaceHost(page.url))
    if (closed) return skip(page, 'notice', closed)
    const may = orders(fetched, digest.robots)
    const links = may.follow ? this.#links(page, digest.links) : []
    const objected = objection(fetched, digest)
    const without = (outcome: PageOutcome): PageOutcome => ({ ...outcome, title, links })
    if (objected) {
      if (objected.coversHost) {
        const host = toPaceHost(page.url)
        this.#closed.set(host, objected.text)
        this.#parts.forget(host, objected.text)
      }
      return { ...without(skip(page, 'notice', objected.text)), links: objected.coversHost ? [] : links }
    }
    if (!may.harvest) return without(skip(page, 'robots', 'The page asks robots not to use it (noindex).'))
    if (canonical && !isSamePage(canonical, page.url) && this.#parts.scope.has(canonical))
      return {
        ...skip(page, 'duplicate', `Its canonical URL is ${canonical}, which is crawled instead.`),
        title,
        links: this.fresh([{ url: canonical, depth: page.depth, priority: page.priority }], page.url),
      }
    const contentHash = Buffer.from(digest.contentHash)
    const key = contentHash.toString('base64')
    if (this.#contents.has(key))
      return { ...skip(page, 'duplicate', 'It has the same content as an earlier page.'), title }
    this.#contents.add(key)
    this.#variety.note(page.url, digest)
    this.pagesRead++
    return { page, title, contentHash, findings, links }
  }

  #links(page: QueuedPage, links: { url: string; priority: 0 | 1 | 2 }[]): NewPage[] {
    const depth = page.depth + 1
    if (depth > this.#maxDepth) return []
    const ours = links.filter(({ url }) => this.#parts.scope.has(url)).slice(0, MAX_LINKS)
    return this.fresh(
      ours.map(({ url, priority }) => ({ url, depth, priority })),
      page.url,
    )
  }

  /** Those not heard of before, ranked. */
  fresh(pages: NewPage[], from: string): NewPage[] {
    return pages
      .filter(({ url }) => this.#variety.isNew(url) && !/ a file | no page /.test(` ${findTrap(url)} `))
      .map((page) => ({ ...page, priority: this.#variety.rank(page.url, page.priority, from) }))
  }
}
