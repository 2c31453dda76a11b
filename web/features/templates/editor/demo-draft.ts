/** What a visitor made of a starter without an account. It stays in the browser, so that signing up in another tab finds it. */
import type { Edits } from './use-template-edits.ts'

const KEY = 'editorDraft'
const WEEK = 7 * 24 * 3600 * 1_000

interface StoredDraft {
  starter: string
  edits: Edits
  until: number
}

const isDraft = (value: unknown): value is StoredDraft => {
  const { starter, edits, until } = (value ?? {}) as Partial<StoredDraft>
  const texts = ['name', 'subject', 'html', 'mjml', 'text'] as const
  return (
    typeof starter === 'string' && typeof until === 'number' && texts.every((key) => typeof edits?.[key] === 'string')
  )
}

/** The stored work on a starter, if it is not too old. */
export function readDemoDraft(starter: string): Edits | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return isDraft(stored) && stored.starter === starter && stored.until > Date.now() ? stored.edits : null
  } catch {
    return null
  }
}

/** Stores the work on a starter for a week. A browser that is full or refuses stores nothing. */
export function storeDemoDraft(starter: string, edits: Edits): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ starter, edits, until: Date.now() + WEEK } satisfies StoredDraft))
  } catch {
    // The work is still on the screen.
  }
}

/** Forgets the stored work. */
export function forgetDemoDraft(): void {
  localStorage.removeItem(KEY)
}
