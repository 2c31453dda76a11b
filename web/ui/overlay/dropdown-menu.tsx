import { Check } from 'lucide-react'
import { DropdownMenu as Primitive } from 'radix-ui'
import { Link } from 'react-router'
import { cx } from '../lib/class-names.ts'

interface MenuProps {
  /** The button that opens it; it must pass its ref and props on (Button and IconButton do). */
  trigger: React.ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  defaultOpen?: boolean
  children: React.ReactNode
}

const itemClass =
  'flex min-h-8 w-full cursor-default select-none items-center gap-2.5 rounded-[4px] px-2.5 py-1 text-base outline-none ' +
  'data-highlighted:bg-hover data-disabled:opacity-50 [&_svg]:size-4'
const plainClass = 'text-ink [&_svg]:text-muted'

/** A menu that drops from a button: arrow keys, first letters and Esc work. */
export function Menu({ trigger, align = 'end', side = 'bottom', defaultOpen = false, children }: MenuProps) {
  return (
    <Primitive.Root modal={false} defaultOpen={defaultOpen}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          // A toast whose button was pressed gives the focus back as a menu opens: the press that opened it counts.
          onFocusOutside={(event) => event.preventDefault()}
          className="z-50 min-w-44 max-w-[calc(100vw-16px)] animate-float-in overflow-y-auto max-h-(--radix-dropdown-menu-content-available-height) rounded-card border bg-raised p-1 shadow-float"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** One thing to do. `harm` sets it in red; say in words what it does. */
export function MenuItem({
  harm,
  className,
  ...rest
}: React.ComponentProps<typeof Primitive.Item> & { harm?: boolean }) {
  return <Primitive.Item className={cx(itemClass, harm ? 'text-harm-text' : plainClass, className)} {...rest} />
}

/** One place to go. */
export function MenuLink({ to, state, children }: { to: string; state?: unknown; children: React.ReactNode }) {
  return (
    <Primitive.Item asChild>
      <Link to={to} state={state} className={cx(itemClass, plainClass)}>
        {children}
      </Link>
    </Primitive.Item>
  )
}

/** One of a few, selected when chosen; the menu stays open so that the choice can be seen. */
export function MenuChoice<V extends string>(props: {
  label: string
  value: V
  options: { value: V; label: string; icon?: React.ReactNode }[]
  onChange: (value: V) => void
}) {
  return (
    <Primitive.RadioGroup
      aria-label={props.label}
      value={props.value}
      onValueChange={(value) => props.onChange(value as V)}
    >
      <MenuLabel>{props.label}</MenuLabel>
      {props.options.map((option) => (
        <Primitive.RadioItem
          key={option.value}
          value={option.value}
          onSelect={(event) => event.preventDefault()}
          className={cx(itemClass, plainClass)}
        >
          {option.icon}
          <span className="flex-1">{option.label}</span>
          <Primitive.ItemIndicator>
            <Check aria-hidden="true" />
          </Primitive.ItemIndicator>
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  )
}

/** One of several that can be on or off, each by itself; the menu stays open. */
export function MenuCheck(props: {
  label: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <Primitive.CheckboxItem
      checked={props.checked}
      disabled={props.disabled ?? false}
      onCheckedChange={props.onChange}
      onSelect={(event) => event.preventDefault()}
      className={cx(itemClass, plainClass)}
    >
      <span className="min-w-0 flex-1 truncate">{props.label}</span>
      <Primitive.ItemIndicator>
        <Check aria-hidden="true" />
      </Primitive.ItemIndicator>
    </Primitive.CheckboxItem>
  )
}

/** A line between groups. */
export function MenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-line" />
}

/** A quiet heading over a group. */
export function MenuLabel({ children }: { children: React.ReactNode }) {
  return <Primitive.Label className="px-2.5 pt-1.5 pb-1 text-xs text-muted">{children}</Primitive.Label>
}
