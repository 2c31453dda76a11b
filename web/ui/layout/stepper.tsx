import { Check } from 'lucide-react'
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

/** The steps of a wizard and what was chosen in each: a column on the left; on a phone a line of numbers with the current step's name. */
export function Stepper({ label, steps, current, onChoose }: StepperProps) {
  const at = steps.findIndex((step) => step.id === current)
  return (
    <nav aria-label={label}>
      <p className="mb-2 text-sm text-muted wide:sr-only">
        Step {at + 1} of {steps.length}: <span className="font-medium text-ink">{steps[at]?.label}</span>
      </p>
      <ol className="flex gap-1.5 wide:flex-col wide:gap-0.5">
        {steps.map((step, index) => {
          const isCurrent = step.id === current
          const reachable = step.open ?? (step.done || isCurrent)
          return (
            <li key={step.id} className="min-w-0 flex-1 wide:flex-none">
              <button
                type="button"
                disabled={!reachable}
                aria-current={isCurrent ? 'step' : undefined}
                onClick={() => onChoose(step.id)}
                className={cx(
                  'flex w-full items-start gap-3 rounded-control text-left transition-colors wide:px-2.5 wide:py-2',
                  isCurrent ? 'wide:bg-accent-soft' : reachable && 'wide:hover:bg-hover',
                )}
              >
                <StepMark number={index + 1} done={step.done} current={isCurrent} />
                <span className="sr-only min-w-0 wide:not-sr-only">
                  <span className={cx('block text-base font-medium', reachable ? 'text-ink' : 'text-muted')}>
                    {step.label}
                    {step.done && <span className="sr-only">, done</span>}
                  </span>
                  {(step.summary ?? step.subtitle) && (
                    <span className="block truncate text-sm text-muted">{step.summary ?? step.subtitle}</span>
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
        'grid h-6 w-full place-items-center rounded-full border text-xs font-semibold tabular-nums wide:w-6 wide:shrink-0',
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
