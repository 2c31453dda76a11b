import { Dialog as Primitive } from 'radix-ui'
import { cx } from '../lib/class-names.ts'
import { OverlayHead, useFocusBack } from './overlay.tsx'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: React.ReactNode
  /** One sentence under the title. */
  description?: React.ReactNode
  /** Buttons, right-aligned; on a phone under each other. */
  footer?: React.ReactNode
  size?: 'sm' | 'md' | 'lg'
  /** It is a form: the focus goes to its first field, and not to Close. */
  isForm?: boolean
  children?: React.ReactNode
}

const widths = { sm: 'sm:max-w-md', md: 'sm:max-w-lg', lg: 'sm:max-w-3xl' }

/** A window over the page. Focus goes in, stays in, and returns to where it came from; Esc closes. On a phone it rises from below. */
export function Dialog({ open, onOpenChange, title, description, footer, size = 'md', isForm, children }: DialogProps) {
  const focus = useFocusBack()
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 animate-fade-in bg-black/45" />
        <Primitive.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={(event) => {
            focus.remember()
            if (isForm) focus.enter(event)
          }}
          onCloseAutoFocus={focus.giveBack}
          className={cx(
            'fixed z-50 flex max-h-[90dvh] w-full animate-float-in flex-col border bg-raised shadow-dialog outline-none',
            'inset-x-0 bottom-0 rounded-t-dialog sm:bottom-auto sm:top-[12vh] sm:mx-auto sm:max-h-[78dvh] sm:w-[calc(100%-2rem)] sm:rounded-dialog',
            widths[size],
          )}
        >
          <OverlayHead title={title} description={description} className="pt-5 pb-3" />
          {children && <div className="min-h-0 flex-1 overflow-y-auto px-5 py-2 text-base">{children}</div>}
          {footer && (
            <footer className="flex flex-col-reverse gap-2 px-5 pt-3 pb-5 sm:flex-row sm:justify-end">{footer}</footer>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
