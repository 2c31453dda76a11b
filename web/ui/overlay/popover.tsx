import { Popover as Primitive } from 'radix-ui'

interface PopoverProps {
  /** The button that opens it; it must pass its ref and props on (Button and IconButton do). */
  trigger: React.ReactNode
  /** What a screen reader calls it. */
  label: string
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  children: React.ReactNode
}

/** A small window at its button, for a few controls or a short list. Esc and a click outside close it. */
export function Popover({ trigger, label, open, onOpenChange, align = 'end', children }: PopoverProps) {
  const state = open === undefined ? {} : { open }
  return (
    <Primitive.Root {...state} {...(onOpenChange && { onOpenChange })}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-[80dvh] w-88 max-w-[calc(100vw-16px)] animate-float-in overflow-y-auto rounded-card border bg-raised p-4 text-base shadow-float outline-none"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
