import { Link, Navigate, useSearchParams } from 'react-router'
import { messageOf } from '#web/api.ts'
import { useLists } from '#web/features/contacts/index.ts'
import { useSenders } from '#web/features/senders/index.ts'
import { useTemplates } from '#web/features/templates/index.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SaveState } from '#web/ui/save-state.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import { type Draft, useDraft, withParam } from './draft.ts'
import { OpenDrafts } from './open-drafts.tsx'
import { CampaignStep } from './step-campaign.tsx'
import { RecipientsStep } from './step-recipients.tsx'
import { SendStep } from './step-send.tsx'
import { SenderStep } from './step-sender.tsx'
import { TemplateStep } from './step-template.tsx'
import { type StepId, stepIds, stepsOf } from './wizard-steps.ts'

export const meta = () => [{ title: 'New campaign · Postlark' }]

export default function WizardPage() {
  const draft = useDraft()
  if (draft.id && draft.query.isError && !draft.query.data)
    return (
      <ErrorState
        title="The draft could not be opened"
        error={draft.query.error}
        onRetry={() => draft.query.refetch()}
      />
    )
  if (draft.id && !draft.query.data) return <SkeletonRows />
  // Once it is on its way there is nothing left to ask.
  if (draft.query.data && draft.query.data.state !== 'draft') return <Navigate replace to={`/mail-dash/${draft.id}`} />
  return <Wizard draft={draft} />
}

function useSteps({ answers }: Draft) {
  const senders = useSenders()
  const templates = useTemplates()
  const lists = useLists()
  const chosen = lists.data?.items.filter((list) => answers.listIds.includes(list.id)) ?? []
  return stepsOf(answers, {
    sender: senders.data?.items.find((sender) => sender.id === answers.senderId),
    templateName: templates.data?.items.find((template) => template.id === answers.templateId)?.name,
    listNames: chosen.map((list) => list.name),
    // People on two lists count once, so a sum would be too many.
    people: chosen.length === 1 ? chosen[0]?.contacts : undefined,
  })
}

function Wizard({ draft }: { draft: Draft }) {
  const [search, setSearch] = useSearchParams()
  const steps = useSteps(draft)
  const asked = search.get('step')
  const current: StepId =
    stepIds.find((id) => id === asked) ?? (draft.id ? (steps.find((step) => !step.done)?.id ?? 'send') : 'authenticate')
  const at = stepIds.indexOf(current)
  const goTo = (id: StepId) => {
    void draft.saving.flush()
    setSearch(withParam(new URLSearchParams(window.location.search), 'step', id))
  }
  const [before, after] = [stepIds[at - 1], stepIds[at + 1]]
  return (
    <>
      <PageHeader
        title="New campaign"
        description="Five questions; every answer is kept as a draft."
        action={
          draft.id && (
            <SaveState
              state={draft.saving.state}
              reason={draft.saving.error ? messageOf(draft.saving.error) : undefined}
              onRetry={() => void draft.saving.flush()}
            />
          )
        }
      />
      {!draft.id && <OpenDrafts />}
      <div className="grid gap-6 wide:grid-cols-[15rem_minmax(0,1fr)] wide:gap-10">
        <Stepper label="Steps" steps={steps} current={current} onChoose={(id) => goTo(id as StepId)} />
        <div className="min-w-0">
          <CurrentStep step={current} draft={draft} goTo={goTo} />
          <div className="mt-6 flex items-center justify-between gap-3 border-t pt-5">
            {before ? (
              <Button onClick={() => goTo(before)}>Back</Button>
            ) : (
              <Link to="/mail-dash" className="text-base text-muted hover:text-ink">
                All campaigns
              </Link>
            )}
            {after && (
              <Button kind="primary" disabled={!steps[at]?.done} onClick={() => goTo(after)}>
                Continue
              </Button>
            )}
          </div>
        </div>
      </div>
    </>
  )
}

function CurrentStep({ step, draft, goTo }: { step: StepId; draft: Draft; goTo: (id: StepId) => void }) {
  if (step === 'authenticate') return <SenderStep draft={draft} />
  if (step === 'template') return <TemplateStep draft={draft} />
  if (step === 'recipients') return <RecipientsStep draft={draft} />
  if (step === 'campaign') return <CampaignStep draft={draft} />
  return <SendStep draft={draft} goTo={goTo} />
}
