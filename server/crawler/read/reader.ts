import { BoundedThreads, ThreadError } from '#server/platform/threads/bounded.ts'
import type { SiteMap } from '../sitemap/sitemap.ts'
import type { Digest, ReadTask } from './digest.ts'

/** What the thread is asked: a page, or a site map with the most bytes it may have unpacked. */
export interface Reading {
  task: ReadTask
  siteMap?: number
}

/** A page that could not be read, in words for people. */
export class ReadProblem extends Error {}

/** The largest ordinary page needs some 200 ms. */
const LIMITS = {
  timeMs: 5_000,
  heap: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
  idleMs: 60_000,
  ahead: 2,
}
const TOO_LONG = 'It takes too long to parse, so it was skipped.'
const UNREADABLE = 'The page could not be read.'
const PROBLEMS: Record<ThreadError['reason'], string> = {
  time: TOO_LONG,
  start: TOO_LONG,
  size: 'The page is too large to be read.',
  stop: 'The process stops.',
  queue: UNREADABLE,
  failure: UNREADABLE,
}

/** Reads what a crawl fetched. Both throw ReadProblem. */
export interface PageReader {
  page(task: ReadTask): Promise<Digest>
  /** `most`: bytes of the map after unpacking. */
  siteMap(task: ReadTask, most: number): Promise<SiteMap>
}

/** Reads pages in threads of their own, each bounded in time and memory. */
export class Reader {
  readonly #threads: BoundedThreads<Reading>

  constructor(threads: number) {
    this.#threads = new BoundedThreads(new URL('./reader-thread.ts', import.meta.url), { ...LIMITS, threads })
  }

  /** Reads in the turns of a workspace, so that slow pages of one keep nobody else waiting. */
  of(workspaceId: string): PageReader {
    return {
      page: (task) => this.#read<Digest>(workspaceId, { task }),
      siteMap: (task, most) => this.#read<SiteMap>(workspaceId, { task, siteMap: most }),
    }
  }

  close(): Promise<void> {
    return this.#threads.stop()
  }

  async #read<T>(workspaceId: string, reading: Reading): Promise<T> {
    try {
      return (await this.#threads.run(reading, { workspaceId })) as T
    } catch (error) {
      throw new ReadProblem(error instanceof ThreadError ? PROBLEMS[error.reason] : UNREADABLE)
    }
  }
}
