import { ChevronDown } from 'lucide-react'
import { cx } from '../lib/class-names.ts'
import { useFieldControl } from './field.tsx'
import { controlClass } from './input.tsx'

/** A choice from a list: the browser's own select, which every phone and screen reader knows. Children are `<option>`s. */
export function Select({ className, children, ...rest }: React.ComponentProps<'select'>) {
  return (
    <div className={cx('relative', className)}>
      <select className={cx(controlClass, 'h-9 appearance-none truncate pr-9')} {...rest} {...useFieldControl(rest)}>
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-muted"
      />
    </div>
  )
}
