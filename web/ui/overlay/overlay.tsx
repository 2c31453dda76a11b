import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { useRef } from 'react'
import { cx } from '../lib/class-names.ts'

/** What stands at the head of a window over the page: title, a sentence, and the way out. */
export function OverlayHead({
  title,
  description,
  className,
}: {
  title: React.ReactNode
  description?: React.ReactNode
  className: string
}) {
  return (
    <header className={cx('flex items-start gap-4 px-5', className)}>
      <div className="min-w-0 flex-1">
        <Primitive.Title className="text-md font-semibold wrap-anywhere text-ink">{title}</Primitive.Title>
        {description && (
          <Primitive.Description className="mt-1 text-base text-muted">{description}</Primitive.Description>
        )}
      </div>
      <Primitive.Close
        aria-label="Close"
        className="-mt-1 -mr-1 grid size-8 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink"
      >
        <X aria-hidden="true" className="size-4" />
      </Primitive.Close>
    </header>
  )
}

const FIELDS = ':is(input:not([type=checkbox], [type=radio], [type=file], [type=hidden]), textarea, select):enabled'

/** Where the focus was last in each window, and in the page. A menu is gone when what it opened closes: its button counts. */
const lastFocused = new WeakMap<Element, Element>()
const findWindow = (element: Element) => element.closest('[role=dialog]') ?? document.documentElement

if (typeof document !== 'undefined') {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && !target.closest('[role=menu], [data-radix-focus-guard]'))
      lastFocused.set(findWindow(target), target)
  })
  // Safari focuses no button that is pressed, and a menu focuses none whose window opens over both.
  document.addEventListener('pointerdown', ({ target }) => {
    const pressed = target instanceof Element ? target.closest('button, a[href]') : null
    if (pressed && !pressed.closest('[role=menu]')) lastFocused.set(findWindow(pressed), pressed)
  })
}

const canFocus = (element: Element | null | undefined): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element !== document.body

/**
 * Gives the focus back to where it was before a window opened: the library does so only for triggers of its own. Where that
 * is gone, such as the row that was deleted, the main part of the page gets it.
 */
export function useFocusBack() {
  const opener = useRef<Element | null>(null)
  return {
    remember: () => {
      const focused = document.activeElement
      opener.current = focused?.closest('[role=menu]') ? null : focused
    },
    /** Goes to the first field of a window that opens, where it has one: writing can begin at once. */
    enter: (event: Event) => {
      const content = event.currentTarget as HTMLElement
      for (const field of content.querySelectorAll<HTMLElement>(FIELDS)) {
        field.focus()
        // One that is hidden takes no focus.
        if (document.activeElement === field) return event.preventDefault()
      }
    },
    giveBack: (event: Event) => {
      event.preventDefault()
      const below = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document.documentElement
      const before = canFocus(opener.current) ? opener.current : lastFocused.get(below)
      if (canFocus(before)) before.focus()
      // One that is disabled or hidden by now takes none.
      if (document.activeElement !== before) document.getElementById('content')?.focus({ preventScroll: true })
    },
  }
}
