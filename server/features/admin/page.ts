import { Id } from '#contracts/values.ts'
import { invalid } from '#server/platform/http/refusal.ts'

/** The last id of the page before. Throws Refusal 400 for anything else. */
export function cursorOf(cursor: string | undefined): string | undefined {
  if (cursor !== undefined && !Id.safeParse(cursor).success) throw invalid('cursor', 'is not one we gave')
  return cursor
}
