import { useCallback, useEffect, useRef, useState } from 'react'

const DEPTH = 200
/** Milliseconds in which changes of one kind count as one step. */
const TOGETHER = 1_000

export interface History {
  text: string
  change: (text: string, key?: string) => void
  undo: () => void
  redo: () => void
  canUndo: boolean
  canRedo: boolean
}

/** A text with its past and future. Changes with the same `key` that follow each other quickly are one step. */
export function useHistory(initial: string, onChange: (text: string) => void): History {
  const [text, setText] = useState(initial)
  const past = useRef<string[]>([])
  const future = useRef<string[]>([])
  const last = useRef({ key: '', at: 0 })
  const current = useRef(initial)
  const latest = useRef(onChange)
  latest.current = onChange

  const show = useCallback((next: string) => {
    current.current = next
    setText(next)
    latest.current(next)
  }, [])
  const change = useCallback(
    (next: string, key = '') => {
      if (next === current.current) return
      const now = Date.now()
      const goesOn = key !== '' && key === last.current.key && now - last.current.at < TOGETHER
      if (!goesOn) past.current = [...past.current, current.current].slice(-DEPTH)
      last.current = { key, at: now }
      future.current = []
      show(next)
    },
    [show],
  )
  const step = useCallback(
    (from: React.RefObject<string[]>, to: React.RefObject<string[]>) => {
      const next = from.current.at(-1)
      if (next === undefined) return
      from.current = from.current.slice(0, -1)
      to.current = [...to.current, current.current]
      last.current = { key: '', at: 0 }
      show(next)
    },
    [show],
  )
  const undo = useCallback(() => step(past, future), [step])
  const redo = useCallback(() => step(future, past), [step])
  return { text, change, undo, redo, canUndo: past.current.length > 0, canRedo: future.current.length > 0 }
}

/** Undo and redo by keyboard, wherever the focus is but in a text. */
export function useUndoKeys(isOn: boolean, undo: () => void, redo: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target } = event
      if (!isOn || event.defaultPrevented || !(event.ctrlKey || event.metaKey)) return
      if (
        target instanceof HTMLElement &&
        (target.closest('input, textarea, select, [role=dialog]') || target.isContentEditable)
      )
        return
      const key = event.key.toLowerCase()
      if (key === 'z') event.shiftKey ? redo() : undo()
      else if (key === 'y') redo()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [isOn, undo, redo])
}
