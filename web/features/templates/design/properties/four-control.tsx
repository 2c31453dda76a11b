import { Link2, Unlink2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { type FourLengths, isUniform } from './css-values.ts'
import { NumberStepper, withNumber } from './number-control.tsx'

const SIDES = ['Top', 'Right', 'Bottom', 'Left']
const CORNERS = ['Top left', 'Top right', 'Bottom right', 'Bottom left']

interface FourControlProps {
  label: string
  kind: 'sides' | 'corners'
  /** Undefined where the email has something that is no plain length. */
  value: FourLengths | undefined
  /** Whether the element sets it itself. */
  isOwn: boolean
  max: number
  onSet: (value: FourLengths) => void
  onReset: () => void
}

const ZERO: FourLengths = [0, 0, 0, 0].map((value) => ({ value, unit: '' as const })) as FourLengths

/** Four lengths, each by itself or, linked, all at once. */
export function FourControl({ label, kind, value, isOwn, max, onSet, onReset }: FourControlProps) {
  const four = value ?? ZERO
  const [isLinked, setLinked] = useState(() => isUniform(four))
  const names = kind === 'sides' ? SIDES : CORNERS
  const set = (at: number, number: number | undefined) =>
    onSet(four.map((one, index) => (isLinked || index === at ? withNumber(one, number ?? 0) : one)) as FourLengths)
  return (
    <fieldset>
      <div className="mb-1.5 flex h-7 items-center justify-between gap-2">
        <legend className="float-left text-sm font-medium text-ink">{label}</legend>
        <span className="flex items-center gap-1">
          {isOwn && (
            <Button size="sm" kind="quiet" aria-label={`${label}: reset`} onClick={onReset}>
              Reset
            </Button>
          )}
          <IconButton
            size="sm"
            label={isLinked ? `${label}: set each one` : `${label}: link all four`}
            aria-pressed={isLinked}
            onClick={() => setLinked(!isLinked)}
          >
            {isLinked ? (
              <Link2 aria-hidden="true" className="size-4" />
            ) : (
              <Unlink2 aria-hidden="true" className="size-4" />
            )}
          </IconButton>
        </span>
      </div>
      {!value && (
        <p className="mb-1.5 text-sm text-muted">This value was written in the code. Changing it replaces it.</p>
      )}
      {isLinked ? (
        <div className="flex items-center gap-3">
          <input
            type="range"
            aria-label={`${label}: all`}
            min={0}
            max={Math.min(max, 80)}
            value={four[0].value}
            onChange={(event) => set(0, Number(event.target.value))}
            className="h-8 min-w-0 flex-1 accent-accent"
          />
          <NumberStepper label={label} value={four[0].value} max={max} onSet={(number) => set(0, number)} />
        </div>
      ) : (
        <div className="grid grid-cols-4 gap-1.5">
          {names.map((name, at) => (
            <div key={name} className="min-w-0 text-center">
              <NumberStepper
                compact
                label={`${label}: ${name.toLowerCase()}`}
                value={four[at]?.value}
                max={max}
                onSet={(number) => set(at, number)}
              />
              <span aria-hidden="true" className="text-xs text-muted">
                {name}
              </span>
            </div>
          ))}
        </div>
      )}
    </fieldset>
  )
}
