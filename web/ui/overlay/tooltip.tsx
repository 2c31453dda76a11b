import { Tooltip as Primitive } from 'radix-ui'

/** A word about something on hover and on focus. Never the only place where a thing is said. Needs no provider. */
export function Tooltip({
  text,
  side = 'top',
  children,
}: {
  text: React.ReactNode
  side?: 'top' | 'right' | 'bottom'
  children: React.ReactNode
}) {
  return (
    <Primitive.Provider delayDuration={250}>
      <Primitive.Root>
        <Primitive.Trigger asChild>{children}</Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-64 animate-fade-in rounded-control bg-ink px-2.5 py-1.5 text-sm text-page shadow-float"
          >
            {text}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  )
}
