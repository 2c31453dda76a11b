/**
 * One page of a list from rows that were read with `limit + 1`: the row beyond the page only says that more follow. The
 * cursor of the next page is the id of the last row, or what `toCursor` returns for it; null after the last page.
 */
export function takePage<R extends { id: string }>(
  rows: R[],
  limit: number,
  toCursor?: (last: R) => string,
): { items: R[]; nextCursor: string | null }
export function takePage<R>(
  rows: R[],
  limit: number,
  toCursor: (last: R) => string,
): { items: R[]; nextCursor: string | null }
export function takePage<R>(rows: R[], limit: number, toCursor = (last: R) => (last as { id: string }).id) {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last !== undefined ? toCursor(last) : null }
}

/** A list that is always whole. */
export const wholeList = <T>(items: T[]) => ({ items, nextCursor: null })
