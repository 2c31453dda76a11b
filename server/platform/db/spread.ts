/** Tables of workspaces spread over the nodes of a Citus cluster (docs/citus.md). */
import { type RawBuilder, sql } from 'kysely'

let spread = false

/** Says that the database of this process, or thread, is spread; before its first statement. */
export function markSpread(): void {
  spread = true
}

/** Whether it is. */
export const isSpread = (): boolean => spread

/**
 * `and column = workspaceId` where tables are spread: the statement then goes to one node. Elsewhere nothing, because PostgreSQL knows
 * no frequency of workspaces, expects a few rows of each, and leaves better indexes of large tables aside (decision 0013).
 */
export const onNode = (column: string, workspaceId: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  spread ? sql`and ${sql.ref(column)} = ${workspaceId}` : sql``

/**
 * The time of this moment, in an update that may have waited for its row: a time of before would let what it paces or holds overlap.
 * Spread tables know only that of the statement's begin.
 */
export const timeNow = (): RawBuilder<Date> => (spread ? sql`statement_timestamp()` : sql`clock_timestamp()`)
