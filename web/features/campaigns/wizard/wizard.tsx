import { Fragment, useEffect, useRef, useState } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { errorMessage } from '#web/api.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { useLists } from '#web/features/contacts/index.ts'
import { useSenders } from '#web/features/senders/index.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SaveFailure, SaveState } from '#web/ui/feedback/save-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FocusedPage } from '#web/ui/layout/focused-page.tsx'
import { Stepper } from '#web/ui/layout/stepper.tsx'
import { AutosaveLeaveDialog } from '#web/ui/overlay/leave-dialog.tsx'
import { useTemplates } from '#web/use-templates.ts'
import { useAudienceNames } from '../audience/names.ts'
import { useChannel } from '../channels/index.ts'
import type { WizardChoices } from './choices.ts'
import { type Draft, useDraft } from './draft.ts'
import { useLastSender } from './last-sender.ts'
import { OpenDrafts } from './open-drafts.tsx'
import { useSeenSteps } from './seen-steps.ts'
import { CampaignStep } from './step-campaign.tsx'
import { RecipientsStep } from './step-recipients.tsx'
import { SendStep } from './step-send.tsx'
import { SenderStep } from './step-sender.tsx'
import { TemplateStep } from './step-template.tsx'
import { buildSteps, type StepId, type WizardStep } from './wizard-steps.ts'

interface WizardProps {
  /** Steps that ask in a way of their own in this channel. */
  parts?: WizardParts
  /** Its steps with what was chosen in each, where they are not those of emails. */
  useSteps?: (draft: Draft, seen: ReadonlySet<StepId>) => WizardStep[]
  /** What a new draft starts with, such as the sender used last; undefined until it is known. */
  useSuggestion?: () => Partial<WizardChoices> | undefined
  /** Shows its children only once the channel can be used at all. */
  gate?: React.ComponentType<{ children: React.ReactNode }>
}

/** The wizard of the channel it stands in, on a page of its own. Leaving it saves the draft, and asks where that fails. */
export function CampaignWizard({
  parts = {},
  useSteps = useMailSteps,
  useSuggestion = useLastSender,
  gate: Gate = Fragment,
}: WizardProps) {
  const suggestion = useSuggestion()
  const draft = useDraft(suggestion)
  const channel = useChannel()
  const { data, isError, error, refetch } = draft.query
  // Once it is on its way there is nothing left to ask.
  if (data && (data.state !== 'draft' || data.channel !== channel.id))
    return <Navigate replace to={campaignLink(data)} />
  return (
    <FocusedPage
      exit={{ to: channel.list, label: 'campaigns' }}
      left={
        <>
          <h1 className="truncate text-base font-semibold">New campaign</h1>
          <p className="truncate text-sm text-muted max-md:hidden">Your progress is saved automatically.</p>
        </>
      }
      right={
        (draft.id || draft.saving.state === 'failed') && (
          <SaveState
            state={draft.saving.state}
            reason={draft.saving.error ? errorMessage(draft.saving.error) : undefined}
            onRetry={() => void draft.saving.flush()}
          />
        )
      }
    >
      {draft.saving.state === 'failed' && (
        <SaveFailure
          reason={errorMessage(draft.saving.error)}
          onRetry={() => void draft.saving.flush()}
          className="mb-6"
        />
      )}
      <Gate>
        {data || (!draft.id && suggestion) ? (
          <Wizard draft={draft} parts={parts} useSteps={useSteps} />
        ) : isError ? (
          <ErrorState title="The draft could not be opened" error={error} onRetry={() => refetch()} />
        ) : (
          <SkeletonRows />
        )}
      </Gate>
      <AutosaveLeaveDialog saving={{ ...draft.saving, flush: draft.leave }} stays={draft.isShownAt} />
    </FocusedPage>
  )
}

/** The steps of a wizard of emails with what was chosen in each. */
export function useMailSteps({ choices, query }: Draft, seen: ReadonlySet<StepId>, emptyFollowUp?: number) {
  const { steps } = useChannel()
  const senders = useSenders()
  const templates = useTemplates()
  const lists = useLists()
  const audience = useAudienceNames(choices)
  const { listIds, segmentIds, excludeListIds, excludeSegmentIds } = choices
  const isOneList = listIds.length === 1 && segmentIds.length + excludeListIds.length + excludeSegmentIds.length === 0
  const through = choices.senderIds.length > 0 ? choices.senderIds : [choices.senderId]
  const names = {
    senders: senders.data?.items.filter((sender) => through.includes(sender.id)) ?? [],
    templateName: templates.data?.items.find((template) => template.id === choices.templateId)?.name,
    audienceNames: audience?.to ?? [],
    // People on two lists count once, so a sum would be too many.
    people: isOneList ? lists.data?.items.find(({ id }) => id === listIds[0])?.contacts : undefined,
    followUps: query.data?.followUps ?? 0,
    emptyFollowUp,
  }
  return buildSteps(steps, choices, names, seen)
}

function Wizard({ draft, parts, useSteps }: Required<Omit<WizardProps, 'gate' | 'useSuggestion'>> & { draft: Draft }) {
  const { steps: stepIds, list } = useChannel()
  const [search] = useSearchParams()
  const asked = stepIds.find((id) => id === search.get('step'))
  const address = search.get('id') ?? ''
  const [first, setFirst] = useState<{ address: string; step: StepId }>()
  const kept = first?.address === address ? first.step : undefined
  const current = asked ?? kept ?? stepIds[0] ?? 'send'
  const seen = useSeenSteps(draft.id, current)
  const steps = useSteps(draft, seen)
  // A draft goes on where it was left; a new one begins at the first question without an answer.
  const open = steps.find((step) => !step.done)?.id ?? 'send'
  if (!kept) setFirst({ address, step: asked ?? open })
  useEffect(() => draft.stayAt(current), [draft, current])
  const at = stepIds.indexOf(current)
  const goTo = (id: StepId) => draft.turnTo(id)
  const [before, after] = [stepIds[at - 1], stepIds[at + 1]]
  const missing = steps[at]?.missing
  return (
    <>
      {!draft.id && <OpenDrafts />}
      <div className="grid gap-6 wide:grid-cols-[15rem_minmax(0,1fr)] wide:gap-10">
        <Stepper label="Steps" steps={steps} current={current} onChoose={(id) => goTo(id as StepId)} />
        <StepFocus step={current}>
          <CurrentStep step={current} draft={draft} goTo={goTo} parts={parts} />
          <div className="mt-6 flex items-center justify-between gap-3 border-t pt-5">
            {before ? (
              <Button onClick={() => goTo(before)}>Back</Button>
            ) : (
              <Link to={list} className="text-base text-muted hover:text-ink">
                All campaigns
              </Link>
            )}
            {after && (
              <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
                {missing && (
                  <p id="continue-reason" className="text-sm text-muted">
                    {missing}
                  </p>
                )}
                <Button
                  kind="primary"
                  disabled={missing !== undefined}
                  aria-describedby={missing && 'continue-reason'}
                  onClick={() => goTo(after)}
                >
                  Continue
                </Button>
              </div>
            )}
          </div>
        </StepFocus>
      </div>
    </>
  )
}

/** Takes the focus to the heading of a step that was turned to, so that the keyboard and screen readers go on there. */
function StepFocus({ step, children }: { step: StepId; children: React.ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const last = useRef(step)
  useEffect(() => {
    if (last.current === step) return
    last.current = step
    window.scrollTo({ top: 0 })
    place.current?.querySelector<HTMLElement>('[data-step-heading]')?.focus({ preventScroll: true })
  }, [step])
  return (
    <div ref={place} className="min-w-0">
      {children}
    </div>
  )
}

export interface StepProps {
  draft: Draft
  goTo: (id: StepId) => void
}

export type WizardParts = Partial<Record<StepId, React.ComponentType<StepProps>>>

interface CurrentStepProps extends StepProps {
  step: StepId
  parts: WizardParts
}

function CurrentStep({ step, draft, goTo, parts }: CurrentStepProps) {
  const Part = parts[step]
  if (Part) return <Part draft={draft} goTo={goTo} />
  if (step === 'authenticate') return <SenderStep draft={draft} />
  if (step === 'template') return <TemplateStep draft={draft} />
  if (step === 'recipients') return <RecipientsStep draft={draft} />
  if (step === 'campaign') return <CampaignStep draft={draft} />
  return <SendStep draft={draft} goTo={goTo} />
}
