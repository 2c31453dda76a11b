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

/** Gives the focus back to where it was before a window opened: the library does so only for triggers of its own. */
export function useFocusBack() {
  const opener = useRef<Element | null>(null)
  return {
    remember: () => {
      opener.current = document.activeElement
    },
    giveBack: (event: Event) => {
      event.preventDefault()
      if (opener.current instanceof HTMLElement) opener.current.focus()
    },
  }
}
