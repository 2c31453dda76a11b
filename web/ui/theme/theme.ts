import { useSyncExternalStore } from 'react'

/** What someone chose: `system` follows the machine. */
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'theme'

/** Runs in the head before anything is painted. Plain text, because it must not wait for a bundle. */
export const themeScript = `try{var t=localStorage.getItem('${KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`

const listeners = new Set<() => void>()

function read(): Theme {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

/** Keeps the choice in this browser and shows it at once. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset.theme
    localStorage.removeItem(KEY)
  } else {
    document.documentElement.dataset.theme = theme
    localStorage.setItem(KEY, theme)
  }
  for (const listener of listeners) listener()
}

/** The choice, for a switch that shows it. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read,
    () => 'system',
  )
}
