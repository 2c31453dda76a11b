import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a column of the contact `c` is in what a statement of one column finds, which runs once, whatever the planner
 * expects: `is true` keeps it from becoming a join, and an array looks small enough for a table of hashes. A join of a
 * workspace that the statistics do not know yet is a loop in a loop: 40 contacts took half a minute, at three groups.
 */
export const isAmong = (column: RawBuilder<unknown>, found: RawBuilder<unknown>) =>
  sql<boolean>`(${column} in (select unnest(array(select distinct found.it from (${found}) found (it) where found.it is not null)))) is true`

/** Some contacts of a workspace: those whose id is after `after` and at most `until`, with `extra` and without `without`. */
export interface ContactRange {
  after: string
  until: string
  extra?: string[]
  without?: string[]
}

/** Whether a column with the id of a contact is in a range; without one every contact is. */
export function isWithin(column: RawBuilder<unknown>, range: ContactRange | undefined): RawBuilder<boolean> {
  if (!range) return sql<boolean>`true`
  const { after, until, extra = [], without = [] } = range
  const own = sql<boolean>`${column} > ${after}::bigint and ${column} <= ${until}::bigint
    ${without.length > 0 ? sql`and ${column} <> all(${without}::bigint[])` : sql``}`
  return extra.length === 0 ? sql`(${own})` : sql`(${own} or ${column} = any(${extra}::bigint[]))`
}

/** Whether the contact `c`, of a range, is among the ids of contacts that a statement finds. Only those of the range are read. */
export const isContactAmong = (found: RawBuilder<unknown>, range: ContactRange | undefined) =>
  isAmong(
    sql.ref('c.id'),
    range ? sql`select ranged.it from (${found}) ranged (it) where ${isWithin(sql.ref('ranged.it'), range)}` : found,
  )
