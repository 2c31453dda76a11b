import { onSessionChange, storedToken } from '#web/session/session.ts'

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

if (typeof document !== 'undefined')
  onSessionChange(() => {
    if (storedToken() === null) unsent.clear()
  })

/** What was typed in a conversation before another one was opened, and not sent. */
export const readUnsent = (conversationId: string): Typed => unsent.get(conversationId) ?? NOTHING_TYPED

/** Stores what is typed until it is sent or the page is closed. */
export function storeUnsent(conversationId: string, typed: Typed): void {
  unsent.delete(conversationId)
  if (typed.text === '' && typed.note === '' && !typed.file && !typed.buttons) return
  unsent.set(conversationId, typed)
  const [oldest] = unsent.keys()
  if (unsent.size > MAX_UNSENT && oldest !== undefined) unsent.delete(oldest)
}
