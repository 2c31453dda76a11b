import { Flag, Target, Zap } from 'lucide-react'
import type { JourneyStep } from '#contracts/journeys/definition.ts'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatNumber } from '#web/ui/lib/format.ts'
import { describeTrigger, filterInWords, nameStep } from '../labels.ts'
import { FlowCard } from './flow-card.tsx'
import { useFlow } from './flow-context.ts'
import { InsertMenu } from './insert-menu.tsx'
import { StepCard } from './step-card.tsx'
import { type Branch, isBranch, type Place, type Side } from './tree.ts'

/** The whole journey from its trigger to its end. */
export function Flow({ steps }: { steps: JourneyStep[] }) {
  return (
    <div className="flex flex-col items-center">
      <TriggerCard />
      <span aria-hidden="true" className="block h-3 w-px bg-control/60" />
      <GoalCard />
      <Row steps={steps} branch={null} after="the trigger" />
      {!isEnd(steps) && <End />}
    </div>
  )
}

interface RowProps {
  steps: JourneyStep[]
  branch: Place['branch']
  /** What the first step comes after. */
  after: string
}

/** Steps one after the other, each place between them with its way to put one in. */
function Row({ steps, branch, after }: RowProps) {
  const { names } = useFlow()
  return (
    <ol className="flex w-full flex-col items-center">
      <li className="contents">
        <InsertMenu place={{ branch, index: 0 }} label={`Add a step after ${after}`} />
      </li>
      {steps.map((step, index) => (
        <li key={step.id} className="flex w-full flex-col items-center">
          <StepCard step={step} />
          {isBranch(step) && <Sides step={step} />}
          {isEnd([step]) && index === steps.length - 1 ? null : (
            <InsertMenu place={{ branch, index: index + 1 }} label={`Add a step after ${nameStep(step, names)}`} />
          )}
        </li>
      ))}
    </ol>
  )
}

/** Whether nobody gets past the last of these steps: an exit, or a branch both sides of which end. */
function isEnd(steps: JourneyStep[]): boolean {
  const last = steps.at(-1)
  return last !== undefined && (isBranch(last) ? isEnd(last.yes) && isEnd(last.no) : last.kind === 'exit')
}

/** Yes and No of a branch: side by side with lines that part and meet, and on a phone one under the other. */
function Sides({ step }: { step: Branch }) {
  const [yesEnds, noEnds] = [isEnd(step.yes), isEnd(step.no)]
  const line = 'absolute bottom-0 h-px bg-control/60 max-md:hidden'
  return (
    <div className="flex w-full flex-col items-center">
      <span aria-hidden="true" className="block h-4 w-px bg-control/60" />
      <div className="relative flex max-md:w-full max-md:flex-col max-md:gap-3">
        {/* Where one side ends, the other is led back to the middle alone. */}
        {yesEnds && !noEnds && <span aria-hidden="true" className={cx(line, 'right-0 left-1/2')} />}
        {noEnds && !yesEnds && <span aria-hidden="true" className={cx(line, 'right-1/2 left-0')} />}
        <SideRow step={step} side="yes" ends={yesEnds} meets={!noEnds} />
        <SideRow step={step} side="no" ends={noEnds} meets={!yesEnds} />
      </div>
      {!(yesEnds && noEnds) && <span aria-hidden="true" className="block h-3 w-px bg-control/60" />}
    </div>
  )
}

/** The line over a side, from where the ways part; and the one under it, to where they meet. */
const PARTING = {
  yes: 'md:before:absolute md:before:top-0 md:before:right-0 md:before:left-1/2 md:before:h-px md:before:bg-control/60',
  no: 'md:before:absolute md:before:top-0 md:before:right-1/2 md:before:left-0 md:before:h-px md:before:bg-control/60',
}
const MEETING = {
  yes: 'md:after:absolute md:after:right-0 md:after:bottom-0 md:after:left-1/2 md:after:h-px md:after:bg-control/60',
  no: 'md:after:absolute md:after:right-1/2 md:after:bottom-0 md:after:left-0 md:after:h-px md:after:bg-control/60',
}
/** Covers what the line of a side that goes on alone has too much. */
const COVER = {
  yes: 'md:after:absolute md:after:bottom-0 md:after:left-0 md:after:h-px md:after:w-[calc(50%-0.5px)] md:after:bg-page',
  no: 'md:after:absolute md:after:right-0 md:after:bottom-0 md:after:h-px md:after:w-[calc(50%-0.5px)] md:after:bg-page',
}

interface SideRowProps {
  step: Branch
  side: Side
  /** Nobody gets past its last step. */
  ends: boolean
  /** The other side goes on too. */
  meets: boolean
}

function SideRow({ step, side, ends, meets }: SideRowProps) {
  const { trial } = useFlow()
  const word = side === 'yes' ? 'Yes' : 'No'
  const tried = trial?.kind === 'simulate' ? trial.path.get(step.id) : undefined
  const isTaken = tried?.outcome === side
  return (
    <section
      aria-label={`${word} of this branch`}
      className={cx(
        'relative flex min-w-0 flex-col items-center md:w-max md:min-w-76 md:px-2',
        PARTING[side],
        !ends && (meets ? MEETING[side] : COVER[side]),
        'max-md:border-l-2 max-md:pl-3',
        side === 'yes' ? 'max-md:border-good/60' : 'max-md:border-control/60',
      )}
    >
      <span aria-hidden="true" className="block h-4 w-px bg-control/60 max-md:hidden" />
      <span
        className={cx(
          'inline-flex h-5.5 items-center rounded-full border px-2.5 text-xs font-medium max-md:self-start',
          side === 'yes' ? 'border-good/30 bg-good-soft text-good-text' : 'bg-sunken text-text',
          isTaken && 'ring-2 ring-accent-text',
        )}
      >
        {word}
        {isTaken && <span className="sr-only">, the path of this contact</span>}
      </span>
      <Row steps={step[side]} branch={{ id: step.id, side }} after={word} />
      {!ends && <span aria-hidden="true" className="block w-px flex-1 bg-control/60 max-md:hidden" />}
    </section>
  )
}

function TriggerCard() {
  const { journey, names, shown, show, trial } = useFlow()
  const { definition, entered } = journey
  const only = filterInWords(definition.entryFilter, names)
  const problems = journey.problems.filter(
    ({ stepId, field }) => stepId === null && !field.startsWith('goal') && !field.startsWith('steps'),
  )
  return (
    <FlowCard
      icon={
        <span className="grid size-7 shrink-0 place-items-center rounded-control bg-gradient-accent text-white">
          <Zap aria-hidden="true" className="size-4" />
        </span>
      }
      kicker="Trigger"
      title={describeTrigger(definition.trigger, names)}
      detail={only && `Only if ${only}`}
      isShown={shown?.kind === 'trigger'}
      onShow={() => show({ kind: 'trigger' })}
      problems={problems}
      footer={
        trial?.kind === 'replay' ? (
          <span className="text-accent-text">{formatNumber(trial.replayed)} would have entered</span>
        ) : (
          journey.state !== 'draft' && <span>{formatNumber(entered)} entered</span>
        )
      }
    />
  )
}

function GoalCard() {
  const { journey, names, shown, show, isEditable } = useFlow()
  const goal = filterInWords(journey.definition.goal, names)
  const problems = journey.problems.filter(({ stepId, field }) => stepId === null && field.startsWith('goal'))
  if (!goal && !isEditable) return null
  return (
    <FlowCard
      icon={<Target aria-hidden="true" className="mx-1.5 mt-0.75 size-4 shrink-0 text-muted" />}
      title={goal ? 'Goal' : 'Add a goal'}
      detail={goal && `Leaves as soon as ${goal}`}
      isQuiet
      isShown={shown?.kind === 'goal'}
      onShow={() => show({ kind: 'goal' })}
      problems={problems}
    />
  )
}

function End() {
  const { journey } = useFlow()
  const missing = journey.problems.find(({ field }) => field === 'steps')
  return (
    <p className="inline-flex h-7 items-center gap-1.5 rounded-full border bg-sunken px-3 text-sm text-muted">
      <Flag aria-hidden="true" className="size-3.5" /> End of the journey{missing && `. ${missing.message}`}
    </p>
  )
}
