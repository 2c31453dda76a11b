import { useEffect, useRef } from 'react'
import { isTyping } from '#web/ui/lib/use-hotkey.ts'

/** Where `g` and a second key lead. */
export const goTo: { key: string; label: string; to: string }[] = [
  { key: 'd', label: 'Dashboard', to: '/dashboard' },
  { key: 'e', label: 'Email campaigns', to: '/email-sender' },
  { key: 'g', label: 'Gmail campaigns', to: '/gmail-sender' },
  { key: 'w', label: 'WhatsApp campaigns', to: '/whatsapp-sender' },
  { key: 'j', label: 'Journeys', to: '/journeys' },
  { key: 'i', label: 'Inbox', to: '/whatsapp-sender/inbox' },
  { key: 'c', label: 'Contacts', to: '/contacts' },
  { key: 'l', label: 'Lists', to: '/contacts/lists' },
  { key: 't', label: 'Templates', to: '/my-templates' },
  { key: 's', label: 'Email Scraper', to: '/email-scraper' },
  { key: 'a', label: 'Account', to: '/account' },
  { key: 'p', label: 'Subscription Plan', to: '/plan' },
]

/** A `g` waits this long for the second key. */
const SEQUENCE_MS = 1_500

interface ShortcutActions {
  palette: () => void
  create: () => void
  help: () => void
  go: (to: string) => void
}

/**
 * The keys that work on every signed-in page: never while something is typed, and the plain ones not over an open window.
 * Ctrl-K works in a plain field too; an editor has a use of its own for it.
 */
export function useShortcuts(actions: ShortcutActions): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    let pressedG = Number.NEGATIVE_INFINITY
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      const isOverlaid = document.querySelector('[role=dialog],[role=alertdialog],[role=menu]') !== null
      if (event.ctrlKey || event.metaKey) {
        const inEditor = event.target instanceof HTMLElement && event.target.isContentEditable
        if (event.key.toLowerCase() !== 'k' || event.shiftKey || inEditor || isOverlaid) return
        event.preventDefault()
        latest.current.palette()
        return
      }
      if (isOverlaid || isTyping(event.target)) return
      const isSecond = event.timeStamp - pressedG < SEQUENCE_MS
      pressedG = event.key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY
      const place = isSecond ? goTo.find(({ key }) => key === event.key) : undefined
      if (place) latest.current.go(place.to)
      else if (isSecond) return
      else if (event.key === 'c') latest.current.create()
      else if (event.key === '?') latest.current.help()
      // A page with a search field of its own listens for it itself.
      else if (event.key === '/' && !document.querySelector('main input[type=search]')) latest.current.palette()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
