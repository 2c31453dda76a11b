import { cx } from '../lib/class-names.ts'

interface SwitchProps {
  /** What is switched, for screen readers. */
  label: string
  on: boolean
  onChange: (on: boolean) => void
  disabled?: boolean
}

/** On or off, at once: for what works by itself while it is on. Color never stands alone: the word is beside it. */
export function Switch({ label, on, onChange, disabled }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={disabled}
      onClick={() => onChange(!on)}
      className="inline-flex h-7 shrink-0 items-center gap-2 rounded-control text-sm text-text disabled:opacity-55"
    >
      <span
        aria-hidden="true"
        className={cx(
          'relative inline-block h-4.5 w-8 rounded-full border transition-colors',
          on ? 'border-accent bg-accent' : 'border-control bg-sunken',
        )}
      >
        <span
          className={cx(
            'absolute top-0.5 left-0.5 size-3 rounded-full transition-transform',
            on ? 'translate-x-3.5 bg-white' : 'bg-control',
          )}
        />
      </span>
      <span aria-hidden="true" className="w-6 text-left">
        {on ? 'On' : 'Off'}
      </span>
    </button>
  )
}
