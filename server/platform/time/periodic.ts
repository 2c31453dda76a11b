import { setTimeout as wait } from 'node:timers/promises'
import type { Condition, Conditions } from '../db/conditions.ts'
import type { Log } from '../log.ts'
import { untilTick } from './ticks.ts'

/** Work that is done again and again. */
export interface PeriodicWork {
  /** The feature and what is done, such as `campaigns.start-due`. */
  name: string
  /**
   * Who does it: every process that works, each with a clock of its own, or the one process of all on the database that takes
   * the run from the queue. The queue stores when the next run is due, so that a restart neither skips nor repeats one.
   */
  per: 'process' | 'database'
  /** Milliseconds between two runs: a process looks at multiples of that, the queue runs it so long after its last start. */
  intervalMs: number | (() => number)
  /** Whether there is anything to do, asked by each process in one statement with that of other work. Without it it always runs. */
  isDue?: Condition
  /** `signal` aborts when the process stops. */
  run(signal: AbortSignal): Promise<unknown>
}

/** The least time between two lines in the log about the same work. */
const LOG_INTERVAL_MS = 60_000
/** How long a stop waits for a run that does not heed its signal. */
const STOP_MS = 5_000

/** Milliseconds until the next run of the work. */
export const untilNext = ({ intervalMs }: PeriodicWork): number =>
  typeof intervalMs === 'number' ? intervalMs : intervalMs()

/** The clocks of the periodic work of this process. Never two runs of one work at once; one that fails is run again at its time. */
export class PeriodicClock {
  readonly #log: Pick<Log, 'error'>
  readonly #conditions: Pick<Conditions, 'holds'>
  readonly #stopping = new AbortController()
  readonly #loops: Promise<void>[] = []

  constructor(log: Pick<Log, 'error'>, conditions: Pick<Conditions, 'holds'>) {
    this.#log = log
    this.#conditions = conditions
  }

  /** Runs the work for the first time after half an interval to one and a half. */
  start(work: PeriodicWork): void {
    this.#loops.push(this.#loop(work))
  }

  /** Starts no run any more; resolves when those under way are done, or after five seconds. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    const late = new AbortController()
    await Promise.race([
      Promise.all(this.#loops),
      wait(STOP_MS, undefined, { ref: false, signal: late.signal }).catch(() => undefined),
    ])
    late.abort()
  }

  async #loop(work: PeriodicWork): Promise<void> {
    const { signal } = this.#stopping
    let loggedAt = -LOG_INTERVAL_MS
    for (;;) {
      await wait(untilTick(untilNext(work)), undefined, { ref: false, signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        if (work.isDue && !(await this.#conditions.holds(work.isDue))) continue
        if (signal.aborted) return
        await work.run(signal)
      } catch (error) {
        if (performance.now() - loggedAt < LOG_INTERVAL_MS) continue
        loggedAt = performance.now()
        this.#log.error({ err: error, work: work.name }, 'periodic work failed')
      }
    }
  }
}
