/** The locked tool that led somebody to the plans: after paying the way goes on there. Stored for this tab, because paying leaves the page. */
const KEY = 'wantedTool'

/** Stores a path of ours. */
export function keepWantedTool(path: string): void {
  sessionStorage.setItem(KEY, path)
}

/** The stored path; null without one. */
export function wantedTool(): string | null {
  const path = sessionStorage.getItem(KEY)
  return path && /^\/[a-z-]+$/.test(path) ? path : null
}

/** The tool was reached: it is wanted no more. */
export function forgetWantedTool(): void {
  sessionStorage.removeItem(KEY)
}
