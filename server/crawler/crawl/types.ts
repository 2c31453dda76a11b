import type { Finding } from '../types.ts'

/** Why a page was not read. */
export type SkipReason = 'robots' | 'blocked' | 'error' | 'notice' | 'trap' | 'duplicate'

/** 0 pages that name contacts, 1 near the root, 2 the rest, 3 more of what the crawl has seen enough of. */
export type Priority = 0 | 1 | 2 | 3

/** A page that was heard of. */
export interface NewPage {
  /** Canonical (frontier/urls.ts). */
  url: string
  depth: number
  priority: Priority
}

/** A page to ask for. `id` is the frontier's own. */
export interface QueuedPage extends NewPage {
  id: string
}

/** What became of a page. `skipped` carries the reason, in words for people too. */
export interface PageOutcome {
  page: QueuedPage
  /** Absent when the page was fetched and read. */
  skipped?: { reason: SkipReason; text: string }
  title: string
  /** SHA-256 of what was read, to tell a page under two addresses. */
  contentHash?: Buffer
  findings: Finding[]
  /** In scope; known ones may be among them. */
  links: NewPage[]
}

/**
 * What a crawl has before it and what it has done, stored by its caller (in a database, or in memory in the bench). Never called
 * twice at the same time. An error it throws ends the crawl.
 */
export interface Frontier {
  /** Up to `count` pages still to ask for, best first (priority, depth, age); none that this object has handed out before. */
  take(count: number): Promise<QueuedPage[]>
  /** Keeps what became of pages, with what was found and the links to go on with: all or nothing. */
  settle(outcomes: PageOutcome[]): Promise<void>
  /** Keeps pages heard of otherwise than by a page (a site map), as settle keeps links. */
  add(pages: NewPage[]): Promise<void>
  /**
   * A site turned out to forbid collecting: what was found on this host, with and without www., is dropped. `host` is as in
   * addresses, without www., with the port where one is written. Store it for CrawlOptions.resumed.
   */
  forget(host: string, text: string): Promise<void>
}

/** What a crawl goes to. */
export interface CrawlSettings {
  /** Hosts of the start addresses (startPages gives them). */
  hosts: string[]
  subdomains: boolean
  /** Beginnings of paths; none is all. Start addresses are read whatever they say. */
  include: string[]
  exclude: string[]
  /** Pages fetched and read, never more. */
  maxPages: number
  /** 0: only the start addresses. */
  maxDepth: number
  /** ISO 3166 country of national phone numbers, where the page does not say it. */
  country?: string
  /** Which findings are stored; all when omitted. */
  kind?: 'email' | 'phone'
}

export interface CrawlOptions {
  /** In whose turns its pages are read; crawls without it share theirs. */
  workspaceId?: string
  settings: CrawlSettings
  frontier: Frontier
  /** Of earlier runs of the same job: what they read counts for maxPages and against duplicates; what they forgot stays so. */
  resumed?: { pagesRead: number; contentHashes: Buffer[]; forgotten: { host: string; text: string }[] }
  /** Aborting it stops within a second; pages in flight stay queued. */
  signal: AbortSignal
  /** Something worth telling about a host, such as a delay it asks for. */
  onNote?: (note: { host: string; text: string }) => void
}

/** `done`: nothing is left to ask for; `limit`: maxPages were read; `stopped`: by the signal. */
export interface CrawlEnd {
  end: 'done' | 'limit' | 'stopped'
  pagesRead: number
}

/** One a process: the pace of each host, robots.txt and connections are shared by all its crawls. */
export interface Crawler {
  /** Crawls to the end. Rejects only with what the frontier throws. */
  crawl(options: CrawlOptions): Promise<CrawlEnd>
  close(): Promise<void>
}
