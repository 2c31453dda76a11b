import { useCallback, useEffect, useRef, useState } from 'react'

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed'

/**
 * Saves changes a moment after the last one, one request at a time, and never drops what came in between.
 * `save` gets all changes since the last success; a failure keeps them and `flush` tries again.
 */
export function useAutosave<T extends object>(save: (changes: Partial<T>) => Promise<unknown>, delay = 700) {
  const [state, setState] = useState<SaveState>('saved')
  const [error, setError] = useState<unknown>(null)
  const pending = useRef<Partial<T>>({})
  const running = useRef<Promise<boolean> | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(save)
  latest.current = save

  /** Saves what is waiting now; true when everything is saved. */
  const flush = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current)
    if (running.current) await running.current
    if (Object.keys(pending.current).length === 0) return true
    const changes = pending.current
    pending.current = {}
    setState('saving')
    const run = latest.current(changes).then(
      () => {
        setError(null)
        setState(Object.keys(pending.current).length === 0 ? 'saved' : 'unsaved')
        return true
      },
      (cause) => {
        pending.current = { ...changes, ...pending.current }
        setError(cause)
        setState('failed')
        return false
      },
    )
    running.current = run
    const done = await run
    if (running.current === run) running.current = null
    return done && Object.keys(pending.current).length === 0
  }, [])

  const change = useCallback(
    (changes: Partial<T>) => {
      pending.current = { ...pending.current, ...changes }
      setState('unsaved')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void flush(), delay)
    },
    [delay, flush],
  )

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (Object.keys(pending.current).length > 0 || running.current) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => {
      removeEventListener('beforeunload', warn)
      void flush()
    }
  }, [flush])

  return { state, error, change, flush }
}
