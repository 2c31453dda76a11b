import { Eye, EyeOff, Search } from 'lucide-react'
import { useState } from 'react'
import { cx } from '../lib/class-names.ts'
import { useFieldControl } from './field.tsx'

/** The shape every text control shares. */
export const controlClass =
  // Focus that scrolls to a control shows its label too.
  'w-full scroll-mt-8 rounded-control border border-control bg-raised px-3 text-base text-ink placeholder:text-muted ' +
  'transition-colors hover:border-text disabled:bg-sunken disabled:text-muted ' +
  'focus:outline-2 focus:-outline-offset-1 focus:outline-accent-text focus:border-transparent ' +
  'aria-invalid:border-harm aria-invalid:focus:outline-harm max-wide:text-md'

/** One line of text. Inside a Field it takes its label and error from there. */
export function Input({ className, ...rest }: React.ComponentProps<'input'>) {
  return <input className={cx(controlClass, 'h-9', className)} {...rest} {...useFieldControl(rest)} />
}

/** Several lines of text; `code` sets it in the fixed-width face. */
export function Textarea({ className, code, ...rest }: React.ComponentProps<'textarea'> & { code?: boolean }) {
  return (
    <textarea
      className={cx(controlClass, 'min-h-24 py-2', code && 'font-mono text-sm!', className)}
      {...rest}
      {...useFieldControl(rest)}
    />
  )
}

/** A password with a button that shows it. */
export function PasswordInput({ className, ...rest }: React.ComponentProps<'input'>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <input
        type={shown ? 'text' : 'password'}
        className={cx(controlClass, 'h-9 pr-10', className)}
        {...rest}
        {...useFieldControl(rest)}
      />
      <button
        type="button"
        aria-label={shown ? 'Hide password' : 'Show password'}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-control text-muted hover:text-ink"
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
    </div>
  )
}

/** A search box; it takes the focus on `/` where the page wires it. `label` is for screen readers. */
export function SearchInput({ label, className, ...rest }: React.ComponentProps<'input'> & { label: string }) {
  return (
    <div className={cx('relative', className)}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-muted"
      />
      <input type="search" aria-label={label} placeholder={label} className={cx(controlClass, 'h-9 pl-8')} {...rest} />
    </div>
  )
}
