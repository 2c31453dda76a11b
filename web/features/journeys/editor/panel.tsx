import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { JourneyStep } from '#contracts/journeys/definition.ts'
import { journeys } from '#contracts/journeys/journeys.ts'
import { api } from '#web/api.ts'
import { TestForm } from '#web/features/campaigns/index.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { useMedia } from '#web/ui/lib/use-media.ts'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { describeStep, nameStep, stepLabels } from '../labels.ts'
import { type Shown, type Trial, useFlow } from './flow-context.ts'
import { StepForm } from './forms/step-form.tsx'
import { GoalForm, TriggerForm } from './forms/trigger-form.tsx'
import { Overview } from './overview.tsx'
import { Replay } from './replay.tsx'
import { Simulate } from './simulate.tsx'
import { changeStep, findStep } from './tree.ts'
import type { Editor } from './use-editor.ts'

interface PanelProps {
  editor: Editor
  onTrial: (trial: Trial | null) => void
}

/** What is selected, beside the flow; on a screen without room for it, over it. */
export function Panel({ editor, onTrial }: PanelProps) {
  const { shown, show } = useFlow()
  const isWide = useMedia('(min-width: 1025px)')
  const key = shown === null ? '' : shown.kind === 'step' ? shown.id : shown.kind
  const content = shown && <Content key={key} shown={shown} editor={editor} onTrial={onTrial} />
  const title = useTitle(shown, editor)
  if (!isWide)
    return (
      <SidePanel open={shown !== null} onOpenChange={(open) => !open && show(null)} title={title}>
        {editor.conflict && (
          <Banner tone="attention" role="alert" className="mb-4" title="This journey was changed elsewhere">
            Your changes are not saved. Close this to choose a version.
          </Banner>
        )}
        {content}
      </SidePanel>
    )
  return (
    <aside
      aria-label={shown ? title : 'Overview'}
      className="flex w-104 shrink-0 flex-col overflow-hidden border-l bg-surface"
    >
      {shown && <PanelHead key={key} title={title} onClose={() => close(shown, show)} />}
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{content ?? <Overview />}</div>
    </aside>
  )
}

/** Closes the panel and gives the focus back to the card. */
function close(shown: Shown, show: (shown: null) => void) {
  show(null)
  if (shown.kind === 'step')
    document.querySelector<HTMLElement>(`[data-step="${CSS.escape(shown.id)}"] button[aria-pressed]`)?.focus()
}

/** The head of the panel, which takes the focus when another thing is selected; Esc closes it. */
function PanelHead({ title, onClose }: { title: string; onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // A menu that closes gives the focus back to its button first.
    const timer = setTimeout(() => heading.current?.focus({ preventScroll: true }))
    return () => clearTimeout(timer)
  }, [])
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (document.querySelector('[role=dialog],[role=menu],[role=combobox][aria-expanded=true]')) return
      latest.current()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <header className="flex items-center justify-between gap-3 border-b px-5 py-2.5">
      <h2 ref={heading} tabIndex={-1} className="min-w-0 truncate text-md font-semibold outline-none">
        {title}
      </h2>
      <IconButton size="sm" label="Close" onClick={onClose}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </header>
  )
}

function useTitle(shown: Shown | null, { definition }: Editor): string {
  switch (shown?.kind) {
    case 'step': {
      const step = findStep(definition.steps, shown.id)
      return step ? stepLabels[step.kind] : 'Step'
    }
    case 'trigger':
      return 'Trigger'
    case 'goal':
      return 'Goal'
    case 'simulate':
      return 'Simulate a contact'
    case 'replay':
      return 'Replay'
    default:
      return 'Overview'
  }
}

interface ContentProps extends PanelProps {
  shown: Shown
}

function Content({ shown, editor, onTrial }: ContentProps) {
  const { journey, names, isEditable } = useFlow()
  const { definition, change, changeSteps } = editor
  const errorsFor = (stepId: string | null) =>
    Object.fromEntries(
      journey.problems
        .filter((problem) => problem.stepId === stepId && problem.severity === 'error')
        .map(({ field, message }) => [field.split('.').at(-1) ?? '', message]),
    )
  if (shown.kind === 'simulate') return <Simulate journey={journey} saving={editor.saving} onTrial={onTrial} />
  if (shown.kind === 'replay') return <Replay journey={journey} saving={editor.saving} onTrial={onTrial} />
  const step = shown.kind === 'step' ? findStep(definition.steps, shown.id) : undefined
  if (shown.kind === 'step' && !step) return <p className="text-base text-muted">This step was deleted.</p>
  if (!isEditable)
    return (
      <div className="space-y-4">
        <Banner>
          {journey.state === 'active'
            ? 'This journey is active. Pause it to change its steps.'
            : 'This journey is archived. Duplicate it to use its steps again.'}
        </Banner>
        {step && <p className="text-base wrap-anywhere">{readStep(step, names)}</p>}
        {step && journey.activatedAt !== null && (
          <ButtonLink size="sm" to={`/journeys/${journey.id}?view=contacts&step=${step.id}`}>
            View contacts at this step
          </ButtonLink>
        )}
        {step?.kind === 'email' && <TestStep key={step.id} stepId={step.id} editor={editor} />}
      </div>
    )
  if (step)
    return (
      <>
        <StepForm
          step={step}
          errors={errorsFor(step.id)}
          onChange={(next, typing) =>
            changeSteps(
              changeStep(definition.steps, step.id, () => next),
              typing && `${step.id} ${typing}`,
            )
          }
        />
        {step.kind === 'email' && (
          <div className="mt-5 border-t pt-5">
            <TestStep key={step.id} stepId={step.id} editor={editor} />
          </div>
        )}
      </>
    )
  const Form = shown.kind === 'trigger' ? TriggerForm : GoalForm
  return <Form definition={definition} errors={errorsFor(null)} onChange={change} />
}

/** Sends the email of a step as it is saved to one address. */
function TestStep({ stepId, editor: { saving } }: { stepId: string; editor: Editor }) {
  const { journey } = useFlow()
  return (
    <TestForm
      send={async (to) => {
        if (!(await saving.flush())) throw new Error('Your changes could not be saved.')
        return api(journeys.test, { params: { id: journey.id }, body: { stepId, to } })
      }}
    />
  )
}

function readStep(step: JourneyStep, names: Parameters<typeof nameStep>[1]): string {
  return step.kind === 'email' ? `${step.name}: ${describeStep(step, names).detail}` : nameStep(step, names)
}
