import type { Draft } from './draft.ts'

/** What was written and is not saved, stored in this browser. Files cannot be stored: a chosen cover is chosen again. */
interface Copy {
  draft: Draft
  /** The version it began with; undefined for a new post. */
  version: number | undefined
  at: string
}

const storageKey = (id: string | undefined) => `postlark.post.${id ?? 'new'}`

/** Keeps what is written. A browser whose store is full or closed keeps nothing, and nothing breaks. */
export function storeCopy(id: string | undefined, draft: Draft, version: number | undefined): void {
  const cover = draft.cover instanceof File ? '' : draft.cover
  try {
    localStorage.setItem(
      storageKey(id),
      JSON.stringify({ draft: { ...draft, cover }, version, at: new Date().toISOString() } satisfies Copy),
    )
  } catch {
    // What is on the screen is still there.
  }
}

export function forgetCopy(id: string | undefined): void {
  try {
    localStorage.removeItem(storageKey(id))
  } catch {
    // Nothing was stored.
  }
}

/** The stored copy of a post, if it is complete. */
export function storedCopy(id: string | undefined): Copy | undefined {
  try {
    const copy = JSON.parse(localStorage.getItem(storageKey(id)) ?? 'null') as Copy | null
    return copy?.draft && typeof copy.draft.title === 'string' && typeof copy.draft.content === 'string'
      ? copy
      : undefined
  } catch {
    return undefined
  }
}
