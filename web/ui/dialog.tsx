import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { useRef } from 'react'
import { cx } from './class-names.ts'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: React.ReactNode
  /** One sentence under the title. */
  description?: React.ReactNode
  /** Buttons, right-aligned; on a phone under each other. */
  footer?: React.ReactNode
  size?: 'sm' | 'md' | 'lg'
  children?: React.ReactNode
}

const widths = { sm: 'sm:max-w-md', md: 'sm:max-w-lg', lg: 'sm:max-w-3xl' }

/** A window over the page. Focus goes in, stays in, and returns to where it came from; Esc closes. On a phone it rises from below. */
export function Dialog({ open, onOpenChange, title, description, footer, size = 'md', children }: DialogProps) {
  // The library gives the focus back to a trigger of its own; ours are buttons anywhere.
  const opener = useRef<Element | null>(null)
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 animate-fade-in bg-black/45" />
        <Primitive.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (opener.current instanceof HTMLElement) opener.current.focus()
          }}
          className={cx(
            'fixed z-50 flex max-h-[90dvh] w-full animate-float-in flex-col border bg-raised shadow-dialog outline-none',
            'inset-x-0 bottom-0 rounded-t-dialog sm:bottom-auto sm:top-[12vh] sm:mx-auto sm:max-h-[78dvh] sm:w-[calc(100%-2rem)] sm:rounded-dialog',
            widths[size],
          )}
        >
          <header className="flex items-start gap-4 px-5 pt-5 pb-3">
            <div className="min-w-0 flex-1">
              <Primitive.Title className="text-md font-semibold text-ink">{title}</Primitive.Title>
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
          {children && <div className="min-h-0 flex-1 overflow-y-auto px-5 py-2 text-base">{children}</div>}
          {footer && (
            <footer className="flex flex-col-reverse gap-2 px-5 pt-3 pb-5 sm:flex-row sm:justify-end">{footer}</footer>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
