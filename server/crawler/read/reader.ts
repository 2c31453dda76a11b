import { Worker } from 'node:worker_threads'
import type { SiteMap } from '../sitemap/sitemap.ts'
import type { Digest, ReadTask } from './digest.ts'

/** What the thread is asked: a page, or a site map with the most bytes it may have unpacked. */
export interface Reading {
  task: ReadTask
  siteMap?: number
}
export type ReadingAnswer = { ready: true } | { value: Digest | SiteMap } | { failure: string }

/** A page that could not be read, in words for people. */
export class ReadProblem extends Error {}

/** Milliseconds one page may take: the largest ordinary one needs some 200. */
const TIME_LIMIT = 5_000
/** Milliseconds for a thread to load its parts, on a busy machine. */
const START_LIMIT = 30_000
const MEMORY_LIMIT_MB = 256
/** Milliseconds after which an idle thread gives its memory back. */
const IDLE_LIMIT = 60_000
/** Given to a thread at once, so that it need not wait for the next. */
const AHEAD = 2

interface Waiting {
  reading: Reading
  resolve(value: never): void
  reject(error: Error): void
}

/** One thread and what it was given, the first being read. */
class Thread {
  readonly given: Waiting[] = []
  readonly #worker: Worker
  readonly #ended: (thread: Thread) => void
  #isReady = false
  #isOver = false
  #clock: NodeJS.Timeout | undefined

  constructor(answered: () => void, ended: (thread: Thread) => void) {
    this.#ended = ended
    this.#worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: 8 },
    })
    this.#worker.on('message', (answer: ReadingAnswer) => {
      this.#hear(answer)
      answered()
    })
    this.#worker.on('error', (error: NodeJS.ErrnoException) =>
      this.#end(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'The page is too large to be read.' : 'The page could not be read.',
      ),
    )
    this.#worker.on('exit', () => this.#end('The page could not be read.'))
    this.#worker.unref()
  }

  give(waiting: Waiting): void {
    this.given.push(waiting)
    this.#worker.postMessage(waiting.reading)
    if (this.given.length === 1) this.#startClock()
  }

  /** Ends it with what it does; what it was given besides is still to be read. */
  #end(reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#clock)
    this.given.shift()?.reject(new ReadProblem(reason))
    void this.#worker.terminate()
    this.#ended(this)
  }

  async close(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#clock)
    for (const { reject } of this.given.splice(0)) reject(new ReadProblem('The process stops.'))
    await this.#worker.terminate()
  }

  #startClock(): void {
    clearTimeout(this.#clock)
    // Referenced while something is read, so that the process stays for it.
    if (this.given.length > 0)
      this.#clock = setTimeout(
        () => this.#end('It takes too long to read, so it was left.'),
        this.#isReady ? TIME_LIMIT : START_LIMIT,
      )
    else this.#clock = setTimeout(() => void this.#end(''), IDLE_LIMIT).unref()
  }

  #hear(answer: ReadingAnswer): void {
    if ('ready' in answer) this.#isReady = true
    else {
      const done = this.given.shift()
      if ('value' in answer) done?.resolve(answer.value as never)
      else done?.reject(new ReadProblem('The page could not be read.'))
    }
    this.#startClock()
  }
}

/** Reads pages in threads of their own, each bounded in time and memory. */
export class Reader {
  readonly #most: number
  readonly #threads = new Set<Thread>()
  #queue: Waiting[] = []

  constructor(threads: number) {
    this.#most = threads
  }

  /** Throws ReadProblem. */
  page(task: ReadTask): Promise<Digest> {
    return this.#read({ task })
  }

  /** `most`: bytes of the map after unpacking. Throws ReadProblem. */
  siteMap(task: ReadTask, most: number): Promise<SiteMap> {
    return this.#read({ task, siteMap: most })
  }

  async close(): Promise<void> {
    for (const { reject } of this.#queue.splice(0)) reject(new ReadProblem('The process stops.'))
    const all = [...this.#threads]
    this.#threads.clear()
    await Promise.all(all.map((thread) => thread.close()))
  }

  #read<T>(reading: Reading): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ reading, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    while (this.#queue.length > 0) {
      let [thread] = [...this.#threads].sort((a, b) => a.given.length - b.given.length)
      if ((!thread || thread.given.length > 0) && this.#threads.size < this.#most) {
        thread = new Thread(
          () => this.#next(),
          (ended) => {
            this.#threads.delete(ended)
            this.#queue = [...ended.given.splice(0), ...this.#queue]
            this.#next()
          },
        )
        this.#threads.add(thread)
      }
      if (!thread || thread.given.length >= AHEAD) return
      const waiting = this.#queue.shift()
      if (waiting) thread.give(waiting)
    }
  }
}
