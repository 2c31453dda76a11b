import { useEffect, useRef } from 'react'
import { cx } from '../lib/class-names.ts'

interface CheckboxProps extends Omit<React.ComponentProps<'input'>, 'type'> {
  /** Without a visible label, give `aria-label`. */
  label?: React.ReactNode
  hint?: React.ReactNode
  /** Some but not all of what it stands for. */
  indeterminate?: boolean
}

/** A tick box with its label and one sentence of hint. */
export function Checkbox({ label, hint, indeterminate = false, className, ref, ...rest }: CheckboxProps) {
  const own = useRef<HTMLInputElement | null>(null)
  useEffect(() => {
    if (own.current) own.current.indeterminate = indeterminate
  }, [indeterminate])
  const box = (
    <input
      type="checkbox"
      className="mt-0.5 size-4 shrink-0 rounded accent-(--color-accent)"
      ref={(element) => {
        own.current = element
        if (typeof ref === 'function') return ref(element)
        if (ref) ref.current = element
      }}
      {...rest}
    />
  )
  if (!label) return <span className={cx('inline-flex', className)}>{box}</span>
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is in `box`
    <label className={cx('flex gap-2.5 text-base text-ink', className)}>
      {box}
      <span className="min-w-0">
        {label}
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </label>
  )
}
