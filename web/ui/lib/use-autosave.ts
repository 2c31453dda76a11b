import { useCallback, useEffect, useRef, useState } from 'react'
import { Autosave, type SaveState } from './autosave.ts'

export type { SaveState }

/**
 * Autosave (autosave.ts) in a component: its state is shown, leaving saves (`AutosaveLeaveDialog` asks where that fails), a failed save
 * is tried again once there is a connection, and a tab closed too early is warned about.
 */
export function useAutosave<T extends object>(save: (changes: Partial<T>) => Promise<unknown>, delay = 700) {
  const [shown, setShown] = useState<{ state: SaveState; error: unknown }>({ state: 'saved', error: null })
  const latest = useRef(save)
  latest.current = save
  const [autosave] = useState(
    () =>
      new Autosave<T>(
        (changes) => latest.current(changes),
        delay,
        (state, error) => setShown({ state, error }),
      ),
  )
  const flush = useCallback(() => autosave.flush(), [autosave])
  const change = useCallback((changes: Partial<T>) => autosave.change(changes), [autosave])
  const discard = useCallback(() => autosave.discard(), [autosave])
  /** Of this moment, and not of what was rendered last. */
  const isSaved = useCallback(() => autosave.isSaved, [autosave])

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (!autosave.isSaved) event.preventDefault()
    }
    const saveNow = () => void autosave.flush()
    addEventListener('beforeunload', warn)
    addEventListener('online', saveNow)
    return () => {
      removeEventListener('beforeunload', warn)
      removeEventListener('online', saveNow)
      saveNow()
    }
  }, [autosave])

  return { ...shown, change, discard, flush, isSaved }
}
