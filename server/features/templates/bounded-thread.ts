import { Worker } from 'node:worker_threads'
import { tooMany } from '#server/platform/http/refusal.ts'
import { FairQueue, type Turn } from './fair-queue.ts'

/** What a bounded thread says: that it is there, what came of a task, that the task was too much, or what broke. */
export type ThreadReply = { ready: true } | { value: unknown } | { limit: true } | { failure: string }

/** A task took more time, memory or depth than any real one needs. */
export class ThreadLimitError extends Error {
  readonly limit: 'time' | 'size'
  constructor(limit: 'time' | 'size') {
    super(`a task was stopped for its ${limit}`)
    this.limit = limit
  }
}

interface Limits {
  /** Milliseconds one task may take. */
  time: number
  memoryMb: number
  /** Tasks of one workspace that may wait. */
  waiting: number
}

/** Milliseconds for the thread to load its parts, on a busy machine. */
const START_LIMIT = 30_000
const RETRY_AFTER_SECONDS = 5

interface Waiting<Task> {
  task: Task
  resolve(value: unknown): void
  reject(error: Error): void
}

/** A thread for synchronous work on what customers wrote: one task at a time, workspaces in turns, each task bounded. */
export class BoundedThread<Task> {
  readonly #file: URL
  readonly #limits: Limits
  readonly #queue: FairQueue<Waiting<Task>>
  #thread: { worker: Worker; isReady: boolean } | undefined
  #current: { workspaceId: string; waiting: Waiting<Task>; timer: NodeJS.Timeout; since: number } | undefined

  constructor(file: URL, limits: Limits) {
    this.#file = file
    this.#limits = limits
    this.#queue = new FairQueue(limits.waiting)
  }

  /** Does a task. Rejects with ThreadLimitError, and with Refusal 429 when too much of the workspace waits already. */
  run(turn: Turn, task: Task): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!this.#queue.add(turn, { task, resolve, reject }))
        return reject(tooMany('Too much is being prepared for you already. Wait a moment.', RETRY_AFTER_SECONDS))
      this.#next()
    })
  }

  /** Ends the thread; it starts again when it is needed. */
  async stop(): Promise<void> {
    const ended = this.#thread
    for (const { reject } of this.#queue.drain()) reject(new Error('the process stops'))
    if (this.#current) this.#giveUp(new Error('the process stops'))
    else this.#thread = undefined
    await ended?.worker.terminate()
  }

  #next(): void {
    if (this.#current) return
    const next = this.#queue.take()
    // Idle, it does not keep the process alive.
    if (!next) return void this.#thread?.worker.unref()
    this.#thread ??= this.#open()
    this.#thread.worker.ref()
    const { workspaceId, item: waiting } = next
    this.#current = { workspaceId, waiting, timer: this.#startClock(), since: performance.now() }
    this.#thread.worker.postMessage(waiting.task)
  }

  #settle(finish: (waiting: Waiting<Task>) => void): void {
    if (!this.#current) return
    const { workspaceId, waiting, timer, since } = this.#current
    clearTimeout(timer)
    this.#current = undefined
    this.#queue.spend(workspaceId, performance.now() - since)
    finish(waiting)
    this.#next()
  }

  /** Ends the thread with whatever it does; the next task gets a new one. */
  #giveUp(error: Error): void {
    const ended = this.#thread
    this.#thread = undefined
    void ended?.worker.terminate()
    this.#settle(({ reject }) => reject(error))
  }

  #startClock(): NodeJS.Timeout {
    const isReady = this.#thread?.isReady
    return setTimeout(
      () => this.#giveUp(isReady ? new ThreadLimitError('time') : new Error('the rendering thread did not start')),
      isReady ? this.#limits.time : START_LIMIT,
    )
  }

  #hear(reply: ThreadReply): void {
    if ('ready' in reply) {
      if (this.#thread) this.#thread.isReady = true
      if (!this.#current) return
      clearTimeout(this.#current.timer)
      this.#current.timer = this.#startClock()
      this.#current.since = performance.now()
    } else if ('value' in reply) this.#settle(({ resolve }) => resolve(reply.value))
    else
      this.#settle(({ reject }) =>
        reject('limit' in reply ? new ThreadLimitError('size') : new Error(`rendering failed: ${reply.failure}`)),
      )
  }

  #open(): { worker: Worker; isReady: boolean } {
    const worker = new Worker(this.#file, { resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb } })
    const ifCurrent = (then: () => void) => void (this.#thread?.worker === worker && then())
    worker.on('message', (reply: ThreadReply) => ifCurrent(() => this.#hear(reply)))
    worker.on('error', (error: NodeJS.ErrnoException) =>
      ifCurrent(() => this.#giveUp(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimitError('size') : error)),
    )
    worker.on('exit', () => ifCurrent(() => this.#giveUp(new Error('the rendering thread ended'))))
    return { worker, isReady: false }
  }
}
