import type { Db } from '#server/platform/db/database.ts'
import { timeNow } from '#server/platform/db/spread.ts'
import { LEASE_SECONDS } from './claims.ts'

/** A moment on both clocks of this process, in milliseconds. */
export interface Mark {
  monotonic: number
  wall: number
}

export const markNow = (): Mark => ({ monotonic: performance.now(), wall: Date.now() })

/**
 * Milliseconds since a moment, rather too many than too few: the monotonic clock stands still while the machine is suspended,
 * and the wall clock may be set back, so the longer time of the two counts.
 */
export const elapsedSince = ({ monotonic, wall }: Mark): number =>
  Math.max(performance.now() - monotonic, Date.now() - wall)

/** So long after it was last renewed a claim is believed to be held; well before others may take it over. */
const HELD_MS = (LEASE_SECONDS * 1000) / 2

/**
 * The claims this thread works on. Each is renewed in the database, and counts as held only for half of the time after
 * which others take it over: a thread that slept, starved or lost the database hands nothing over that another one may have.
 */
export class ClaimLeases {
  #worker: string
  #renewed = new Map<string, Mark>()

  constructor(worker: string) {
    this.#worker = worker
  }

  /** `asked`: a moment before the claim was asked for. */
  take(claimId: string, asked: Mark): void {
    this.#renewed.set(claimId, asked)
  }

  end(claimId: string): void {
    this.#renewed.delete(claimId)
  }

  has(claimId: string): boolean {
    return this.#renewed.has(claimId)
  }

  isHeld(claimId: string): boolean {
    const renewed = this.#renewed.get(claimId)
    return renewed !== undefined && elapsedSince(renewed) < HELD_MS
  }

  /** Keeps the claims alive that nobody took over. */
  async renew(db: Db): Promise<void> {
    const ids = [...this.#renewed.keys()]
    if (ids.length === 0) return
    const asked = markNow()
    const rows = await db
      .updateTable('claims')
      .set({ aliveAt: timeNow() })
      .where('id', 'in', ids)
      .where('worker', '=', this.#worker)
      .where('takenAt', 'is', null)
      .returning('id')
      .execute()
    for (const { id } of rows) if (this.#renewed.has(id)) this.#renewed.set(id, asked)
  }
}
