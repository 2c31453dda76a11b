import { Worker } from 'node:worker_threads'
import { FairQueue, type Turn } from './fair-queue.ts'
import type { ThreadReply } from './serve-tasks.ts'

/** Why there is no result: more time, memory or depth than any real task needs, a full queue, or something that broke. */
export class ThreadError extends Error {
  readonly reason: 'time' | 'size' | 'queue' | 'start' | 'stop' | 'failure'
  constructor(reason: ThreadError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

interface Limits {
  /** Milliseconds one task may take. */
  timeMs: number
  /** Heap of a thread in MiB. */
  heap: { maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb?: number }
  /** Tasks of one workspace that may wait; without it any number may. */
  waiting?: number
  /** Threads at once; 1 without it. */
  threads?: number
  /** Tasks given to a thread at once, so that it need not wait for the next: for synchronous work only. 1 without it. */
  ahead?: number
  /** Milliseconds after which a thread without a task gives its memory back; without it, never. */
  idleMs?: number
}

/** Milliseconds for a thread to load its parts, on a busy machine. */
const START_LIMIT_MS = 120_000
const EVERYBODY: Turn = { workspaceId: '' }

interface WaitingTask<Task> {
  workspaceId: string
  task: Task
  resolve(value: unknown): void
  reject(error: Error): void
}

/** What a thread tells the pool it belongs to. */
interface Owner {
  /** A task of the workspace is done, after so many milliseconds. */
  onSettled(workspaceId: string, usedMs: number): void
  onEnded(): void
}

/** One thread and what it was given, of which it does the first. */
class Thread<Task> {
  readonly given: WaitingTask<Task>[] = []
  readonly #worker: Worker
  readonly #limits: Limits
  readonly #owner: Owner
  #isReady = false
  #isOver = false
  #clock: NodeJS.Timeout | undefined
  #since = 0

  constructor(file: URL, limits: Limits, owner: Owner) {
    this.#limits = limits
    this.#owner = owner
    this.#worker = new Worker(file, { resourceLimits: limits.heap })
    this.#worker.on('message', (reply: ThreadReply) => this.#hear(reply))
    this.#worker.on('error', (error: NodeJS.ErrnoException) =>
      this.#end(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new ThreadError('size', 'a task was stopped for its memory')
          : new ThreadError('failure', error.stack ?? String(error)),
      ),
    )
    this.#worker.on('exit', () => this.#end(new ThreadError('failure', 'the thread ended')))
    // The clock keeps the process alive while something is done.
    this.#worker.unref()
  }

  give(waiting: WaitingTask<Task>): void {
    this.given.push(waiting)
    this.#worker.postMessage(waiting.task)
    if (this.given.length === 1) this.#startClock()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#clock)
    for (const { reject } of this.given.splice(0)) reject(new ThreadError('stop', 'the process stops'))
    await this.#worker.terminate()
  }

  /** Ends it with what it does; what it was given besides is still to be done. */
  #end(error: ThreadError): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#clock)
    void this.#worker.terminate()
    this.#settle((waiting) => waiting.reject(error))
    this.#owner.onEnded()
  }

  #settle(finish: (waiting: WaitingTask<Task>) => void): void {
    const waiting = this.given.shift()
    if (!waiting) return
    this.#owner.onSettled(waiting.workspaceId, performance.now() - this.#since)
    finish(waiting)
  }

  #startClock(): void {
    clearTimeout(this.#clock)
    const { timeMs, idleMs } = this.#limits
    this.#since = performance.now()
    if (this.given.length > 0) {
      const late = this.#isReady
        ? new ThreadError('time', 'a task was stopped for its time')
        : new ThreadError('start', 'the thread did not start')
      this.#clock = setTimeout(() => this.#end(late), this.#isReady ? timeMs : START_LIMIT_MS)
    } else if (idleMs === 0) this.#end(new ThreadError('stop', 'nothing to do'))
    else if (idleMs !== undefined)
      this.#clock = setTimeout(() => this.#end(new ThreadError('stop', 'nothing to do')), idleMs).unref()
  }

  #hear(reply: ThreadReply): void {
    if (this.#isOver) return
    if ('ready' in reply) this.#isReady = reply.ready
    else if ('value' in reply) this.#settle(({ resolve }) => resolve(reply.value))
    else
      this.#settle(({ reject }) =>
        reject(
          'limit' in reply
            ? new ThreadError('size', 'a task was stopped for its depth')
            : new ThreadError('failure', reply.failure),
        ),
      )
    this.#startClock()
  }
}

/**
 * Threads for work on what strangers wrote: each task is bounded in time and memory, the thread of one that is not done in
 * time is ended and another one goes on, and workspaces take turns. What runs in the threads is a file with `serveTasks`.
 */
export class BoundedThreads<Task> {
  readonly #file: URL
  readonly #limits: Limits
  readonly #queue: FairQueue<WaitingTask<Task>>
  readonly #threads = new Set<Thread<Task>>()

  constructor(file: URL, limits: Limits) {
    this.#file = file
    this.#limits = limits
    this.#queue = new FairQueue(limits.waiting ?? Number.POSITIVE_INFINITY)
  }

  /** Returns what the thread made of the task. Rejects with ThreadError, with reason `queue` when too much waits for the workspace. */
  run(task: Task, turn: Turn = EVERYBODY): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!this.#queue.add(turn, { workspaceId: turn.workspaceId, task, resolve, reject }))
        return reject(new ThreadError('queue', 'too many tasks of the workspace wait'))
      this.#next()
    })
  }

  /** Starts a thread for a task that will come soon. Without one it ends after its time without a task. */
  warm(): void {
    if (this.#threads.size === 0) this.#open()
  }

  /** Ends the threads and rejects what waits; they start again when they are needed. */
  async stop(): Promise<void> {
    for (const { reject } of this.#queue.drain()) reject(new ThreadError('stop', 'the process stops'))
    const threads = [...this.#threads]
    this.#threads.clear()
    await Promise.all(threads.map((thread) => thread.stop()))
  }

  #next(): void {
    for (;;) {
      const thread = this.#freeThread()
      const next = thread && this.#queue.take()
      if (!next) return
      thread.give(next.item)
    }
  }

  /** The thread with least to do, or a new one; undefined when nothing waits, or all have what they may. */
  #freeThread(): Thread<Task> | undefined {
    if (this.#queue.size === 0) return undefined
    const { threads = 1, ahead = 1 } = this.#limits
    const [least] = [...this.#threads].sort((a, b) => a.given.length - b.given.length)
    if ((!least || least.given.length > 0) && this.#threads.size < threads) return this.#open()
    return least && least.given.length < ahead ? least : undefined
  }

  #open(): Thread<Task> {
    const thread: Thread<Task> = new Thread(this.#file, this.#limits, {
      onSettled: (workspaceId, usedMs) => {
        this.#queue.spend(workspaceId, usedMs)
        // After the task's own result, and after a thread that is ended.
        queueMicrotask(() => this.#next())
      },
      onEnded: () => {
        this.#threads.delete(thread)
        for (const waiting of thread.given.splice(0).reverse()) this.#queue.putBack(waiting.workspaceId, waiting)
        this.#next()
      },
    })
    this.#threads.add(thread)
    return thread
  }
}
