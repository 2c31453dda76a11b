import { useSyncExternalStore } from 'react'

const KEY = 'collapsedGroups'
const listeners = new Set<() => void>()

function read(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The ids of the sidebar's groups that are folded up, stored in this browser, and what folds or unfolds one. */
export function useCollapsed(): [collapsed: ReadonlySet<string>, toggle: (id: string) => void] {
  const stored = useSyncExternalStore(subscribe, read, () => '')
  const collapsed = new Set(stored.split(' '))
  const toggle = (id: string) => {
    localStorage.setItem(KEY, [...collapsed.symmetricDifference(new Set([id]))].join(' ').trim())
    for (const listener of listeners) listener()
  }
  return [collapsed, toggle]
}
