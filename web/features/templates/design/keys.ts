import type { History } from '#web/ui/lib/use-history.ts'
import { WRITABLE } from './block-kinds.ts'
import type { Design } from './use-design.ts'
import type { Writing } from './writing/writing.ts'

/** Whether a key was pressed on an element of the email: in the list of them, or in the email itself. */
const isOn = (target: EventTarget | null, index: number) =>
  !(target instanceof HTMLElement) || target.dataset.block === String(index)

/** Whether a key was pressed in a window or a menu over the email, or while something is typed. */
const isElsewhere = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('[role=dialog], [role=menu], input, textarea, select') !== null

interface Hands {
  history: History
  design: Design
  writing: Writing | null
  stopWriting: () => void
  write: (index: number) => void
}

/** The keys of the editor; the browser's own meaning of others stays. */
export function handleKey(
  event: KeyboardEvent | React.KeyboardEvent,
  { history, design, writing, stopWriting, write }: Hands,
): void {
  if (isElsewhere(event.target)) return
  const { block } = design
  const key = event.key.toLowerCase()
  if (event.key === 'Escape') return writing ? stopWriting() : design.select(block?.parent ?? null)
  if (writing) return
  const command = event.ctrlKey || event.metaKey
  if (command && key === 'z') event.shiftKey ? history.redo() : history.undo()
  else if (command && key === 'y') history.redo()
  else if (event.altKey && event.key === 'ArrowUp') design.shift(-1)
  else if (event.altKey && event.key === 'ArrowDown') design.shift(1)
  else if (event.key === 'Delete') design.remove()
  else if (event.key === 'Enter' && block && WRITABLE.has(block.tag) && isOn(event.target, block.index))
    write(block.index)
  else return
  event.preventDefault()
}
