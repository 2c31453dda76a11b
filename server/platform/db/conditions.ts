import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from './types.ts'

/** What is asked again and again, such as whether a campaign is due: a boolean expression that an index says at once. */
export type Condition = RawBuilder<boolean>

/** How long a question waits for others: the clocks of a process look at the same moment. Milliseconds. */
const GATHER_MS = 5

interface Question {
  condition: Condition
  resolve(holds: boolean): void
  reject(error: unknown): void
}

/**
 * Asks the database whether conditions hold: those asked within five milliseconds go in one statement. What a statement of a
 * process that has nothing to do costs is mostly sending and planning it, and not looking.
 */
export class Conditions {
  readonly #db: Kysely<DB>
  #waiting: Question[] = []

  constructor(db: Kysely<DB>) {
    this.#db = db
  }

  /** Throws what the database says where the statement fails, for each of its conditions. */
  holds(condition: Condition): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setTimeout(() => void this.#ask(), GATHER_MS)
      this.#waiting.push({ condition, resolve, reject })
    })
  }

  async #ask(): Promise<void> {
    const questions = this.#waiting
    this.#waiting = []
    try {
      const list = sql.join(questions.map(({ condition }) => condition))
      const { rows } = await sql<{ holds: boolean[] }>`select array[${list}] as holds`.execute(this.#db)
      for (const [index, { resolve }] of questions.entries()) resolve(rows[0]?.holds[index] === true)
    } catch (error) {
      for (const { reject } of questions) reject(error)
    }
  }
}
