import { useId } from 'react'
import { cx } from '../lib/class-names.ts'

export interface RadioOption<V extends string> {
  value: V
  label: React.ReactNode
  hint?: React.ReactNode
  disabled?: boolean
}

interface RadioGroupProps<V extends string> {
  legend: string
  /** The legend is read aloud but not shown. */
  quietLegend?: boolean
  options: RadioOption<V>[]
  value: V | undefined
  onChange: (value: V) => void
  /** Options as bordered cards, for a choice that matters. */
  cards?: boolean
  className?: string
}

/** One of a few: plain radios under each other, or cards. */
export function RadioGroup<V extends string>({
  legend,
  quietLegend,
  options,
  value,
  onChange,
  cards,
  className,
}: RadioGroupProps<V>) {
  const name = useId()
  return (
    <fieldset className={className}>
      <legend className={quietLegend ? 'sr-only' : 'mb-1.5 text-sm font-medium text-ink'}>{legend}</legend>
      <div className={cards ? 'grid gap-2' : 'grid gap-2.5'}>
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              'flex gap-2.5 text-base text-ink',
              cards &&
                'rounded-card border bg-surface p-3.5 transition-colors hover:border-control has-checked:border-accent-text has-checked:bg-accent-soft',
              option.disabled && 'opacity-60',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
              className="mt-0.5 size-4 shrink-0 accent-(--color-accent)"
            />
            <span className="min-w-0">
              <span className={cards ? 'font-medium' : undefined}>{option.label}</span>
              {option.hint && <span className="block text-sm text-muted">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
