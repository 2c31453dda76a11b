import { Minus, Plus, RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '#web/ui/form/button.tsx'
import { formatLength, type Length, parseLength } from './css-values.ts'

interface LengthControlProps {
  label: string
  /** As the email has it; empty: it is inherited. */
  value: string
  inherited: string
  units?: readonly ('px' | '%')[]
  max?: number
  onSet: (value: string) => void
}

const PX = ['px'] as const

/** A size with its unit: typed, or one step more or less. An inherited one is shown faintly until it is changed. */
export function LengthControl({ label, value, inherited, units = PX, max = 600, onSet }: LengthControlProps) {
  const own = parseLength(value)
  const shown = own ?? parseLength(inherited)
  const unit = shown?.unit && shown.unit !== 'em' ? shown.unit : (units[0] ?? 'px')
  if (value !== '' && !own)
    return (
      <div className="flex items-center gap-2 text-sm text-muted">
        <code className="min-w-0 truncate font-mono">{value}</code>
        <IconButton size="sm" label={`${label}: reset`} onClick={() => onSet('')}>
          <RotateCcw aria-hidden="true" className="size-3.5" />
        </IconButton>
      </div>
    )
  const set = (number: number | undefined, newUnit = unit) =>
    onSet(number === undefined ? '' : formatLength({ value: Math.min(Math.max(number, 0), max), unit: newUnit }))
  return (
    <div className="flex items-center gap-1.5">
      <NumberStepper label={label} value={own?.value} shown={shown?.value} max={max} onSet={set} />
      {units.length > 1 ? (
        <select
          aria-label={`${label}: unit`}
          value={unit}
          onChange={(event) => {
            const next = event.target.value as 'px' | '%'
            set(next === '%' ? Math.min(shown?.value ?? 100, 100) : (shown?.value ?? 100), next)
          }}
          className="h-8 rounded-control border border-control bg-raised px-1 text-sm text-ink"
        >
          {units.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      ) : (
        <span className="w-5 text-sm text-muted">{unit}</span>
      )}
    </div>
  )
}

interface NumberStepperProps {
  label: string
  value: number | undefined
  /** What it comes to where `value` is not set. */
  shown?: number | undefined
  max: number
  onSet: (value: number | undefined) => void
  /** Without the buttons, where four stand side by side. */
  compact?: boolean
}

/** A whole number between 0 and `max`; the arrow keys and the buttons change it by one. */
export function NumberStepper({ label, value, shown, max, onSet, compact }: NumberStepperProps) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  useEffect(() => setText(value === undefined ? '' : String(value)), [value])
  const step = (by: number) => onSet(Math.min(Math.max(Math.round((value ?? shown ?? 0) + by), 0), max))
  const input = (
    <input
      type="text"
      inputMode="numeric"
      aria-label={label}
      autoComplete="off"
      value={text}
      placeholder={shown === undefined ? '-' : String(shown)}
      onChange={(event) => {
        const typed = event.target.value.replace(/[^\d.]/g, '').slice(0, 5)
        setText(typed)
        if (typed === '') onSet(undefined)
        else if (Number.isFinite(Number(typed))) onSet(Math.min(Number(typed), max))
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
        event.preventDefault()
        step((event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? 10 : 1))
      }}
      className="h-full w-full min-w-0 bg-transparent text-center text-sm text-ink tabular-nums outline-none placeholder:text-muted"
    />
  )
  if (compact)
    return (
      <div className="h-8 w-full rounded-control border border-control bg-raised focus-within:outline-2 focus-within:outline-accent-text">
        {input}
      </div>
    )
  const button = 'grid h-full w-7 shrink-0 place-items-center text-muted hover:bg-hover hover:text-ink'
  return (
    <div className="flex h-8 w-28 items-center overflow-hidden rounded-control border border-control bg-raised focus-within:outline-2 focus-within:outline-accent-text">
      <button type="button" aria-label={`${label}: less`} className={button} onClick={() => step(-1)}>
        <Minus aria-hidden="true" className="size-3.5" />
      </button>
      {input}
      <button type="button" aria-label={`${label}: more`} className={button} onClick={() => step(1)}>
        <Plus aria-hidden="true" className="size-3.5" />
      </button>
    </div>
  )
}

/** The length a number has beside another one of the same control. */
export const withNumber = (length: Length, value: number): Length => ({
  value,
  unit: length.unit === '' && value !== 0 ? 'px' : length.unit,
})
