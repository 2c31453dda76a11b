import { useSyncExternalStore } from 'react'
import { decodeClaims, onSessionChange, storedToken } from '#web/session/session.ts'

/** What was typed in a conversation. */
export interface Typed {
  text: string
  /** Apart from the reply, so that it never goes to the person by mistake. */
  note: string
  file: File | null
  /** null: none were asked for. */
  buttons: string[] | null
}

export const NOTHING_TYPED: Typed = { text: '', note: '', file: null, buttons: null }

/** Of so many conversations at most: beyond, what was typed in the oldest is forgotten. */
const MAX_UNSENT = 100
const unsent = new Map<string, Typed>()

const currentUser = () => String(decodeClaims(storedToken() ?? '')?._id)

/** The id of the user who is signed in; another tab may change it. */
export const useUserId = () => useSyncExternalStore(onSessionChange, currentUser, () => undefined)

/** Of a user and a conversation: a send that fails after its session ended must not show to the next user. */
export const unsentKey = (userId: string | undefined, conversationId: string): string => `${userId} ${conversationId}`

if (typeof document !== 'undefined')
  onSessionChange(() => {
    const own = unsentKey(currentUser(), '')
    for (const key of unsent.keys()) if (!key.startsWith(own)) unsent.delete(key)
  })

/** What was typed in a conversation before another one was opened, and not sent. */
export const readUnsent = (key: string): Typed => unsent.get(key) ?? NOTHING_TYPED

/** Stores what is typed until it is sent or the page is closed. Returns what `readUnsent` finds from now on. */
export function storeUnsent(key: string, typed: Typed): Typed {
  unsent.delete(key)
  if (typed.text === '' && typed.note === '' && !typed.file && !typed.buttons) return NOTHING_TYPED
  unsent.set(key, typed)
  const [oldest] = unsent.keys()
  if (unsent.size > MAX_UNSENT && oldest !== undefined) unsent.delete(oldest)
  return typed
}
