import { Dialog as Primitive } from 'radix-ui'
import { OverlayHead, useFocusBack } from './overlay.tsx'

interface SidePanelProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: React.ReactNode
  /** One sentence under the title. */
  description?: React.ReactNode
  /** Buttons that stay in view at the foot. */
  footer?: React.ReactNode
  children?: React.ReactNode
}

/** One thing of a list in detail, beside the list; the whole screen on a phone. Focus goes in and returns, Esc closes. */
export function SidePanel({ open, onOpenChange, title, description, footer, children }: SidePanelProps) {
  const focus = useFocusBack()
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-fade-in bg-black/35" />
        <Primitive.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onCloseAutoFocus={focus.giveBack}
          onOpenAutoFocus={(event) => {
            focus.remember()
            focus.enter(event)
          }}
          className="fixed inset-y-0 right-0 z-50 flex w-full max-w-md animate-float-in flex-col border-l bg-raised shadow-dialog outline-none"
        >
          <OverlayHead title={title} description={description} className="border-b py-4" />
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4 text-base">{children}</div>
          {footer && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-4">{footer}</footer>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
