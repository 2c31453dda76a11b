const KEY = 'recentCommands'
const LIMIT = 5

/** A place that was opened from the palette. */
export interface Recent {
  to: string
  label: string
  note?: string
}

const isRecent = (value: unknown): value is Recent => {
  const { to, label } = (value ?? {}) as Partial<Record<keyof Recent, unknown>>
  return typeof to === 'string' && to.startsWith('/') && !to.startsWith('//') && typeof label === 'string'
}

/** The places opened last, the newest first, as this browser remembers them for the user. */
export function readRecents(userId: string): Recent[] {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as { userId?: string; items?: unknown } | null
    return stored?.userId === userId && Array.isArray(stored.items) ? stored.items.filter(isRecent) : []
  } catch {
    return []
  }
}

/** Puts a place first. Another user's are forgotten, because their names are nobody else's. */
export function rememberRecent(userId: string, recent: Recent): void {
  const items = [recent, ...readRecents(userId).filter(({ to }) => to !== recent.to)].slice(0, LIMIT)
  try {
    localStorage.setItem(KEY, JSON.stringify({ userId, items }))
  } catch {
    // A browser without storage remembers nothing.
  }
}
