import { once } from 'node:events'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { Log } from '../log.ts'
import { job, type Queue } from '../queue.ts'
import { untilTick } from '../time/ticks.ts'
import { createAlarm } from './alarm.ts'

/** A job a thread wants queued: the queue is in the request thread. */
export interface JobMessage {
  name: string
  payload: unknown
}

interface Options<Message> {
  /** Such as `sending`, for the log. */
  name: string
  file: URL
  /** What each thread is given as it starts: plain data, because it crosses to another thread. */
  workerData: object
  resourceLimits?: ResourceLimits
  /** Milliseconds a thread has to end after it was told `stop`, before it is ended. */
  stopMs: number
  /**
   * Whether there is work for it: asked at once, then every `pollMs` and whenever it is posted something, until there is
   * some. Only then is it started. Where the question fails it is started too. When there was none for `restMs`, it is told
   * to stop, gives its memory back, and waits for work again. Without it, it is started at once and lives for ever.
   */
  whileNeeded?: { hasWork: () => Promise<boolean>; pollMs: number; restMs: number }
  /** What it tells besides jobs. */
  onMessage?(message: Message): void
  /** Called for each thread; what it returns is called when that thread is gone. */
  onStart?(worker: Worker): () => void
}

interface Services {
  log: Pick<Log, 'error'>
  /** Where its jobs go; without one it has none. */
  queue?: Pick<Queue, 'enqueue'>
}

/** Milliseconds before a thread that ended is started again: doubled each time, up to the most, unless it had lived for a while. */
const PAUSE_MS = { first: 1_000, most: 16_000 }
const LIVED_MS = 10_000

/**
 * A thread of the process that is started again whenever it ends by itself. It is told `stop` to end in order, and what its
 * owner posts. Messages of the shape `{ name, payload }` are queued as jobs.
 */
export class SupervisedThread<Message = never> {
  readonly #options: Options<Message>
  readonly #services: Services
  #worker: Worker | undefined
  #pauseMs = PAUSE_MS.first
  #restart: NodeJS.Timeout | undefined
  #isStopping = false
  /** It was told to stop because there is no work. */
  #isResting = false
  /** Ends the pause between two looks for its work. */
  readonly #alarm = createAlarm()

  constructor(services: Services, options: Options<Message>) {
    this.#services = services
    this.#options = options
    if (options.whileNeeded) void this.#followWork(options.whileNeeded)
    else this.#open()
  }

  /** Tells the thread something. Returns whether there is one: before it is started or started again nobody hears it. */
  post(message: unknown): boolean {
    this.look()
    this.#worker?.postMessage(message)
    return this.#worker !== undefined
  }

  /** Looks for its work at once, where it is not running because there was none. */
  look(): void {
    if (!this.#worker || this.#isResting) this.#alarm.ring()
  }

  /** Resolves when the thread is gone, and starts none any more. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#alarm.ring()
    clearTimeout(this.#restart)
    await this.#end()
  }

  /** Tells the thread to end, and ends it when that takes too long. Resolves when it is gone. */
  async #end(): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    const gone = once(worker, 'exit')
    worker.postMessage('stop')
    const timer = setTimeout(() => void worker.terminate(), this.#options.stopMs)
    await gone
    clearTimeout(timer)
  }

  async #followWork({ hasWork, pollMs, restMs }: NonNullable<Options<Message>['whileNeeded']>): Promise<void> {
    let neededAt = performance.now()
    while (!this.#isStopping) {
      const isNeeded = await hasWork().catch(() => true)
      if (this.#isStopping) return
      if (isNeeded) {
        neededAt = performance.now()
        if (!this.#worker && !this.#restart) this.#open()
      } else if (this.#worker && performance.now() - neededAt >= restMs) {
        this.#isResting = true
        await this.#end()
        this.#isResting = false
        // Work may have come while it ended.
        continue
      }
      await this.#alarm.pause(untilTick(this.#worker ? restMs / 4 : pollMs))
    }
  }

  #open(): void {
    const { name, file, workerData, resourceLimits, onStart } = this.#options
    const startedAt = performance.now()
    const worker = new Worker(file, { workerData, ...(resourceLimits && { resourceLimits }) })
    this.#worker = worker
    const onGone = onStart?.(worker)
    worker.on('error', (error) => this.#services.log.error({ err: error }, `the ${name} thread ended with an error`))
    worker.on('message', (message: Message | JobMessage) => this.#hear(message))
    worker.on('exit', () => {
      this.#worker = undefined
      onGone?.()
      if (this.#isStopping || this.#isResting) return
      if (performance.now() - startedAt > LIVED_MS) this.#pauseMs = PAUSE_MS.first
      this.#restart = setTimeout(() => {
        this.#restart = undefined
        this.#open()
      }, this.#pauseMs).unref()
      this.#pauseMs = Math.min(PAUSE_MS.most, this.#pauseMs * 2)
    })
  }

  #hear(message: Message | JobMessage): void {
    if (!isJob(message)) return this.#options.onMessage?.(message)
    const { log, queue } = this.#services
    queue
      ?.enqueue(job(message.name, z.unknown()), message.payload)
      .catch((error) =>
        log.error({ err: error, job: message.name }, `work of the ${this.#options.name} thread was not queued`),
      )
  }
}

const isJob = (message: unknown): message is JobMessage =>
  typeof message === 'object' && message !== null && 'name' in message && 'payload' in message
