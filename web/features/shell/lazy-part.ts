import { useState } from 'react'

/** Fetches the frame's menus. */
export const loadMenus = () => import('./menus.ts')

/**
 * A part of the shell whose code is fetched when it is about to be used: what was loaded, and how it is. `prepare`
 * fetches it without showing it.
 */
export function useLazyPart<T>(load: () => Promise<T>, onFailure: () => void) {
  const [part, setPart] = useState<{ loaded: T }>()
  const open = async () => {
    try {
      const loaded = await load()
      setPart({ loaded })
    } catch {
      onFailure()
    }
  }
  // Who points at a button presses it next; pressing it says what failed.
  const prepare = () => void load().catch(() => undefined)
  return { part: part?.loaded, open, prepare }
}

/** The keys that open a menu from its button, besides a press. */
export function opensMenu(event: React.KeyboardEvent): boolean {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return false
  event.preventDefault()
  return true
}
