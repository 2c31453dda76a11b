import { CircleAlert, TriangleAlert } from 'lucide-react'
import { Stat } from '#web/ui/display/stat.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatMoment, formatNumber, plural } from '#web/ui/lib/format.ts'
import { nameStep } from '../labels.ts'
import { type FlowState, useFlow } from './flow-context.ts'
import { findStep } from './tree.ts'

/** How the journey is as a whole: its state in a sentence, its figures, what has to be fixed. */
export function Overview() {
  const { journey } = useFlow()
  const { id, state, stateText, entered, active, ended, sent, activatedAt } = journey
  const people = `/journeys/${id}?view=contacts`
  return (
    <div className="space-y-5">
      {stateText && (
        <Banner tone="attention" role="status">
          {stateText}
        </Banner>
      )}
      <p className="text-base text-text">{sentences[state](activatedAt)}</p>
      {activatedAt !== null && (
        <div className="grid grid-cols-2 gap-3">
          <Stat label="Entered" value={formatNumber(entered)} to={people} />
          <Stat label="In progress" value={formatNumber(active)} to={`${people}&state=active`} />
          <Stat label="Ended" value={formatNumber(ended)} to={people} />
          <Stat label="Emails sent" value={formatNumber(sent)} />
        </div>
      )}
      <Problems />
    </div>
  )
}

const sentences: Record<FlowState['journey']['state'], (activatedAt: string | null) => string> = {
  draft: () => 'A draft. No one enters until you activate it. Select a card to change it.',
  active: (at) => `Active since ${formatMoment(at)}. Pause it to change its steps.`,
  paused: () => 'Paused. No one enters or continues. Change the steps, then resume.',
  archived: () => 'Archived. No one is in it anymore. Its figures and reports stay.',
}

/** Puts the focus where the first step is added. */
const focusFirstPlace = () => document.querySelector<HTMLElement>('[data-place]')?.focus()

/** What has to be fixed, each leading to its card. */
function Problems() {
  const { journey, names, show } = useFlow()
  const { problems, definition } = journey
  if (problems.length === 0 || journey.state === 'archived') return null
  const errors = problems.filter(({ severity }) => severity === 'error').length
  return (
    <section aria-labelledby="to-fix">
      <h3 id="to-fix" className="mb-2 text-base font-semibold">
        {errors > 0 ? `${plural(errors, 'thing')} to fix before it can be activated` : 'Worth a look'}
      </h3>
      <ul className="divide-y rounded-card border">
        {problems.map(({ stepId, field, severity, message }) => {
          const step = stepId === null ? undefined : findStep(definition.steps, stepId)
          const Icon = severity === 'error' ? CircleAlert : TriangleAlert
          const place = field.startsWith('goal') ? 'goal' : 'trigger'
          const isAll = field === 'steps'
          return (
            <li key={`${stepId} ${field} ${message}`}>
              <button
                type="button"
                onClick={() =>
                  isAll ? focusFirstPlace() : show(step ? { kind: 'step', id: step.id } : { kind: place })
                }
                className="flex w-full gap-2.5 px-3.5 py-2.5 text-left hover:bg-hover"
              >
                <Icon
                  aria-hidden="true"
                  className={cx(
                    'mt-0.75 size-4 shrink-0',
                    severity === 'error' ? 'text-harm-text' : 'text-attention-text',
                  )}
                />
                <span className="min-w-0">
                  <span className="block text-base wrap-anywhere text-ink">{message}</span>
                  <span className="block truncate text-sm text-muted">
                    {isAll ? 'Steps' : step ? nameStep(step, names) : place === 'goal' ? 'Goal' : 'Trigger'}
                  </span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
