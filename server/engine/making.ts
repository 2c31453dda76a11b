/** The time of a sending thread that making messages takes: the only work there whose cost those who write them decide. */
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds of a message from which on its workspace leaves time to others. An ordinary one takes a twentieth of one. */
const HEAVY_MS = 5
/** How much the last message counts in the mean: on a busy machine any may take some milliseconds once. */
const WEIGHT = 0.2
/** Times as long as its messages take a workspace rests after each: beside others it has a fifth of the thread. */
const REST = 4
/** Milliseconds it rests where nobody else sends: claims and replies of others come in between. */
const PAUSE_MS = 1

/** How one workspace makes the messages of a claim beside others. */
export interface Making {
  /** Whether others are to have the thread first. */
  isResting(): boolean
  /** Waits for a rest to end, or for the signal. */
  rest(signal: AbortSignal): Promise<void>
  /** Notes that a message took so many milliseconds. */
  spent(ms: number): void
  /** No more messages of the claim are made. */
  end(): void
}

interface Noted {
  /** Claims that are being sent. */
  claims: number
  /** When its last message was made, and how long they take. */
  at: number
  meanMs: number
}

export class MakingTime {
  readonly #noted = new Map<string, Noted>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  begin(workspaceId: string): Making {
    const noted = this.#noted.get(workspaceId) ?? { claims: 0, at: 0, meanMs: 0 }
    noted.claims++
    this.#noted.set(workspaceId, noted)
    const left = () => {
      if (noted.meanMs < HEAVY_MS) return 0
      const rest = this.#noted.size > 1 ? noted.meanMs * REST : PAUSE_MS
      return Math.max(0, noted.at + rest - this.#now())
    }
    return {
      isResting: () => left() > 0,
      rest: (signal) => wait(Math.ceil(left()), undefined, { signal }).catch(() => undefined),
      spent: (ms) => {
        noted.at = this.#now()
        noted.meanMs += WEIGHT * (ms - noted.meanMs)
      },
      end: () => {
        if (--noted.claims === 0) this.#noted.delete(workspaceId)
      },
    }
  }
}
