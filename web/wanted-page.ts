/** A page somebody asked for before having an account. Confirming the address may open in another tab, so it is stored in the browser. */
const KEY = 'wantedPage'
const DAY = 24 * 3600 * 1_000

/** Keeps a path of ours for a day. */
export function keepWantedPage(path: string): void {
  localStorage.setItem(KEY, JSON.stringify({ path, until: Date.now() + DAY }))
}

/** The stored path, if it is not too old. */
export function wantedPage(): string | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as { path: string; until: number } | null
    return kept && kept.until > Date.now() && /^\/(?![/\\])/.test(kept.path) ? kept.path : null
  } catch {
    return null
  }
}

/** The same, and it is deleted. */
export function takeWantedPage(): string | null {
  const path = wantedPage()
  localStorage.removeItem(KEY)
  return path
}
