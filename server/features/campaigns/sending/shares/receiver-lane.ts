import type { Gate } from '#server/engine/index.ts'
import type { Share } from './shares.ts'

/** Messages of a claim leave within this time, or are put back: who waits holds up the others of the claim. */
const SOON_MS = 1_500
/** The furthest turn that is given: by then the pace may be another one. */
const MAX_AHEAD_MS = 15 * 60_000
/** Another worker holds all of it, and may end. */
const SHARED_AGAIN_MS = 2_000

/** Turns of one thread that are given to messages to a receiver, across its claims: those taken, and those put back. */
export class Turns {
  /** Messages that were taken and have not left. */
  taken = 0
  #next = 0

  /** The next moment for a message that is put back, one `step` milliseconds after the other; by the wall clock. */
  next(step: number, now: number): Date {
    this.#next = Math.min(Math.max(this.#next, now) + step, now + MAX_AHEAD_MS)
    return new Date(this.#next)
  }
}

/** What one claim may send to a receiver that has a pace. */
export class ReceiverLane {
  readonly gate: Gate
  readonly isHeld: () => boolean
  #share: Share
  #room: number
  #taken = 0
  #leave: () => void

  constructor(share: Share, leave: () => void) {
    this.#share = share
    this.#leave = leave
    this.gate = share.gate
    this.isHeld = share.isHeld
    this.#room = share.isUsable ? share.readyWithin(SOON_MS) - share.turns.taken : 0
  }

  /** Whether one more message leaves soon. */
  take(): boolean {
    if (this.#room <= 0) return false
    this.#room--
    this.#taken++
    this.#share.turns.taken++
    return true
  }

  /** When a message that was not taken is to be tried. */
  nextTurn(): Date {
    return this.#share.turns.next(this.#share.step ?? SHARED_AGAIN_MS, Date.now())
  }

  /** Notes which of the messages left. */
  guard(gate: Gate): Gate {
    return {
      open: gate.open,
      approach: async (signal) => {
        const turn = await gate.approach(signal)
        if (!turn) throw new Error('the gate of a receiver is open')
        return {
          pass: (signal) => turn.pass(signal),
          left: () => {
            turn.left()
            this.#give(1)
          },
          cancel: () => turn.cancel(),
        }
      },
    }
  }

  /** The claim has ended: what was taken and did not leave is free again. */
  leave(): void {
    this.#give(this.#taken)
    this.#leave()
  }

  #give(count: number): void {
    const given = Math.min(count, this.#taken)
    this.#taken -= given
    this.#share.turns.taken -= given
  }
}
