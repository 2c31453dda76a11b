import type { Finding } from '../types.ts'

/** Why a page was not read. */
export type SkipReason = 'robots' | 'blocked' | 'error' | 'notice' | 'trap' | 'duplicate'

/** A page to ask for. `id` is the frontier's own. */
export interface QueuedPage {
  id: string
  /** Canonical (frontier/urls.ts). */
  url: string
  depth: number
}

/** A page that was heard of: 0 pages that name contacts, 1 near the root, 2 the rest. */
export interface NewPage {
  url: string
  depth: number
  priority: 0 | 1 | 2
}

/** What became of a page. `skipped` carries the reason, in words for people too. */
export interface Outcome {
  page: QueuedPage
  /** Absent when the page was fetched and read. */
  skipped?: { reason: SkipReason; text: string }
  title: string
  /** SHA-256 of what was read, to tell a page under two addresses. */
  contentHash?: Buffer
  findings: Finding[]
  /** In scope and no traps; known ones may be among them. */
  links: NewPage[]
}

/**
 * What a crawl has before it and what it has done, kept by whoever runs it (a database, or memory in the bench). Never called
 * twice at the same time.
 */
export interface Frontier {
  /** Up to `count` pages still to ask for, best first; none that this object has handed out before. */
  take(count: number): Promise<QueuedPage[]>
  /** Keeps what became of pages, with what was found and the links to go on with: all or nothing. */
  settle(outcomes: Outcome[]): Promise<void>
}
