import { useEffect, useRef } from 'react'

/** Whether keys pressed there write something. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  )
}

/** Calls `act` when one of the plain keys is pressed outside of a text control and outside of an open dialog or menu. */
export function useHotkey(keys: string, act: (key: string) => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      if (!keys.split(' ').includes(event.key) || document.querySelector('[role=dialog],[role=menu]')) return
      event.preventDefault()
      latest.current(event.key)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [keys])
}
