import { Check } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { cx } from '../lib/class-names.ts'

export interface Step {
  id: string
  label: string
  /** What it asks, under the label until there is an answer. */
  subtitle?: string
  /** What was chosen: it stands under the label, so that going back is never needed to look something up. */
  summary?: React.ReactNode
  done: boolean
  /** May be opened now. */
  open?: boolean
}

interface StepperProps {
  label: string
  steps: Step[]
  current: string
  onChoose: (id: string) => void
}

/** The steps of a wizard and what was chosen in each: a column on the left; on a narrow screen a row that scrolls to the current one. */
export function Stepper({ label, steps, current, onChoose }: StepperProps) {
  const row = useRef<HTMLOListElement>(null)
  const at = steps.findIndex((step) => step.id === current)
  useEffect(() => {
    const shown = row.current?.children[at]
    if (row.current && shown instanceof HTMLElement)
      row.current.scrollLeft = shown.offsetLeft - (row.current.clientWidth - shown.offsetWidth) / 2
  }, [at])
  return (
    <nav aria-label={label} className="min-w-0">
      <p className="sr-only">
        Step {at + 1} of {steps.length}: {steps[at]?.label}
      </p>
      <ol
        ref={row}
        className="relative flex gap-1 overflow-x-auto p-0.5 [scrollbar-width:none] max-wide:fade-x wide:flex-col wide:gap-0.5 wide:overflow-visible wide:p-0"
      >
        {steps.map((step, index) => {
          const isCurrent = step.id === current
          const reachable = step.open ?? (step.done || isCurrent)
          return (
            <li key={step.id} className="shrink-0 wide:min-w-0">
              <button
                type="button"
                disabled={!reachable}
                aria-current={isCurrent ? 'step' : undefined}
                onClick={() => onChoose(step.id)}
                className={cx(
                  'flex w-full items-center gap-2 rounded-control px-2 py-1.5 text-left transition-colors wide:items-start wide:gap-3 wide:px-2.5 wide:py-2',
                  isCurrent ? 'bg-accent-soft' : reachable && 'hover:bg-hover',
                )}
              >
                <StepMark number={index + 1} done={step.done} current={isCurrent} />
                <span className="min-w-0">
                  <span
                    className={cx(
                      'block text-sm font-medium whitespace-nowrap wide:text-base wide:whitespace-normal',
                      reachable ? 'text-ink' : 'text-muted',
                    )}
                  >
                    {step.label}
                    {step.done && <span className="sr-only">, done</span>}
                  </span>
                  {(step.summary ?? step.subtitle) && (
                    <span className="block truncate text-sm text-muted max-wide:sr-only">
                      {step.summary ?? step.subtitle}
                    </span>
                  )}
                </span>
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function StepMark({ number, done, current }: { number: number; done: boolean; current: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid size-6 shrink-0 place-items-center rounded-full border text-xs font-semibold tabular-nums',
        current
          ? 'border-accent bg-accent text-on-accent'
          : done
            ? 'border-good/40 bg-good-soft text-good-text'
            : 'border-line bg-surface text-muted',
      )}
    >
      {done && !current ? <Check strokeWidth={3} className="size-3" /> : number}
    </span>
  )
}
