import { CircleAlert } from 'lucide-react'
import { createContext, use, useId } from 'react'
import { cx } from '../lib/class-names.ts'

interface FieldState {
  id: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
}

const FieldContext = createContext<FieldState | null>(null)

/** The attributes a control takes from the Field around it: id, aria-describedby, aria-invalid, aria-required. */
export function useFieldControl(own: { id?: string | undefined }) {
  const field = use(FieldContext)
  if (!field) return own
  return {
    id: own.id ?? field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  }
}

interface FieldProps {
  label: React.ReactNode
  /** One quiet sentence under the control. */
  hint?: React.ReactNode
  /** What is wrong and what would be right; its presence marks the control. */
  error?: string | undefined
  /** Says "(optional)" beside the label; fields are required unless told. */
  optional?: boolean
  /** A small link or button at the right end of the label's line. */
  aside?: React.ReactNode
  className?: string
  children: React.ReactNode
}

/** A labeled control with hint and error, tied together for screen readers. Put one Input, Select or Textarea inside. */
export function Field({ label, hint, error, optional, aside, className, children }: FieldProps) {
  const id = useId()
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined
  return (
    <div className={cx('min-w-0', className)}>
      <div className="mb-1.5 flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-sm font-medium text-ink">
          {label}
          {optional && <span className="ml-1 font-normal text-muted">(optional)</span>}
        </label>
        {aside && <span className="text-sm">{aside}</span>}
      </div>
      <FieldContext value={{ id, describedBy, invalid: Boolean(error), required: !optional }}>{children}</FieldContext>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 flex gap-1.5 text-sm text-harm-text">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
