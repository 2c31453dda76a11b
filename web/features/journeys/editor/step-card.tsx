import { ArrowDown, ArrowUp, Copy, MoreHorizontal, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { JourneyStep } from '#contracts/journeys/definition.ts'
import { channelPages } from '#web/channel-pages.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { formatMoment, formatNumber } from '#web/ui/lib/format.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { describeResults, describeStep, nameStep } from '../labels.ts'
import { useReport } from '../queries.ts'
import { StepIcon } from '../step-icons.tsx'
import { FlowCard } from './flow-card.tsx'
import { useFlow } from './flow-context.ts'
import { describeOutcome } from './trial-labels.ts'

/** One step: what it does, what is missing, who got here. */
export function StepCard({ step }: { step: JourneyStep }) {
  const { journey, names, shown, show, trial, isEditable } = useFlow()
  const { title, detail } = describeStep(step, names)
  return (
    <FlowCard
      stepId={step.id}
      icon={<StepIcon kind={step.kind} />}
      title={title}
      detail={detail}
      isShown={shown?.kind === 'step' && shown.id === step.id}
      onShow={() => show({ kind: 'step', id: step.id })}
      problems={journey.problems.filter(({ stepId }) => stepId === step.id)}
      isOnPath={trial?.kind === 'simulate' ? trial.path.has(step.id) : undefined}
      actions={isEditable && <StepMenu step={step} />}
      footer={<Footer step={step} />}
    />
  )
}

function StepMenu({ step }: { step: JourneyStep }) {
  const { names, move, canMove, duplicate, remove } = useFlow()
  const { id } = step
  return (
    <Menu
      trigger={
        <IconButton size="sm" label={`Actions for ${nameStep(step, names)}`}>
          <MoreHorizontal aria-hidden="true" className="size-4" />
        </IconButton>
      }
    >
      <MenuItem disabled={!canMove(id, -1)} onSelect={() => move(id, -1)}>
        <ArrowUp aria-hidden="true" /> Move up
      </MenuItem>
      <MenuItem disabled={!canMove(id, 1)} onSelect={() => move(id, 1)}>
        <ArrowDown aria-hidden="true" /> Move down
      </MenuItem>
      <MenuItem onSelect={() => duplicate(id)}>
        <Copy aria-hidden="true" /> Duplicate
      </MenuItem>
      <MenuSeparator />
      <MenuItem harm onSelect={() => remove(id)}>
        <Trash2 aria-hidden="true" /> Delete step
      </MenuItem>
    </Menu>
  )
}

/** The counts of a step, or what a trial says of it; nothing while no one could have got here. */
function Footer({ step }: { step: JourneyStep }) {
  const { journey, trial } = useFlow()
  if (trial?.kind === 'replay')
    return (
      <span className="text-accent-text">
        {formatNumber(trial.entered.get(step.id) ?? 0)} would have reached this step
      </span>
    )
  const tried = trial?.kind === 'simulate' ? trial.path.get(step.id) : undefined
  if (tried)
    return (
      <span className="text-accent-text">
        {formatMoment(tried.at)}
        {describeOutcome(step, tried.outcome) && ` · ${describeOutcome(step, tried.outcome)}`}
      </span>
    )
  const counts = journey.steps.find(({ stepId }) => stepId === step.id)
  if (journey.activatedAt === null || !counts) return null
  const people = `/journeys/${journey.id}?view=contacts&step=${step.id}`
  return (
    <>
      <span>{formatNumber(counts.entered)} entered</span>
      {counts.waiting > 0 && (
        <Link to={`${people}&state=active`} className="text-text underline-offset-2 hover:text-ink hover:underline">
          {formatNumber(counts.waiting)} here now
        </Link>
      )}
      {counts.campaignId !== null && (
        <EmailCounts campaignId={counts.campaignId} entered={counts.entered} isLive={journey.state === 'active'} />
      )}
    </>
  )
}

interface EmailCountsProps {
  campaignId: string
  entered: number
  isLive: boolean
}

/** What became of a step's emails, with the way to their report. */
function EmailCounts({ campaignId, entered, isLive }: EmailCountsProps) {
  const { data, isError } = useReport(campaignId, entered, isLive)
  const link = 'font-medium text-accent-text hover:underline'
  return (
    <span className="flex w-full flex-wrap gap-x-3">
      {data
        ? describeResults(data).map((result) => <span key={result}>{result}</span>)
        : isError && <span>Figures are unknown</span>}
      <Link to={`${channelPages.email.reports}/${campaignId}`} className={link}>
        Report
      </Link>
    </span>
  )
}
