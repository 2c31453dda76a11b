import { useCallback, useEffect, useRef, useState } from 'react'
import { Autosave, type SaveState } from './autosave.ts'

export type { SaveState }

/** Autosave (autosave.ts) in a component: its state is shown, leaving saves, and a tab closed too early is warned about. */
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

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (!autosave.isSaved) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => {
      removeEventListener('beforeunload', warn)
      void autosave.flush()
    }
  }, [autosave])

  return { ...shown, change, discard, flush }
}
