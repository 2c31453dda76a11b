import { useSenders } from '#web/features/senders/index.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { useChannel } from '../channels/index.ts'
import { LineField } from '../line-field.tsx'
import type { Draft } from './draft.ts'
import { InboxPreview } from './inbox-preview.tsx'
import { NameField } from './name-field.tsx'
import { ReplyToField } from './reply-to-field.tsx'
import { StepFrame } from './step-frame.tsx'

/** Create campaign: what the inbox shows, whose name it bears, what is tracked. */
export function CampaignStep({ draft }: { draft: Draft }) {
  const { choices, change } = draft
  const { hasReplyTo } = useChannel()
  const senders = useSenders()
  const through = choices.senderIds[0] ?? choices.senderId
  const sender = senders.data?.items.find(({ id }) => id === through)
  const fields = draft.query.data?.merge?.fields ?? []
  return (
    <StepFrame title="Subject and tracking" hint="What recipients see in their inbox before they open the email.">
      <div className="grid items-start gap-6 min-[1200px]:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="min-w-0 space-y-5">
          <LineField
            label="Subject"
            kind="subject"
            value={choices.subject}
            fields={fields}
            onChange={(subject) => change({ subject }, true)}
          />
          <LineField
            label="Preview text"
            kind="preview"
            value={choices.preheader}
            fields={fields}
            onChange={(preheader) => change({ preheader }, true)}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="Sender name" hint={sender && `Sent from ${sender.fromEmail}`}>
              <Input
                value={choices.fromName}
                maxLength={80}
                autoComplete="off"
                placeholder={sender?.fromName || sender?.fromEmail}
                onChange={(event) => change({ fromName: event.target.value }, true)}
              />
            </Field>
            {hasReplyTo && (
              <ReplyToField
                value={choices.replyTo}
                placeholder={sender?.fromEmail}
                onChange={(replyTo) => change({ replyTo }, true)}
              />
            )}
          </div>
          <NameField draft={draft} />
          <Tracking draft={draft} />
        </div>
        <div className="min-w-0 min-[1200px]:sticky min-[1200px]:top-18">
          <InboxPreview
            from={choices.fromName || sender?.fromName || sender?.fromEmail || ''}
            subject={choices.subject}
            preview={choices.preheader}
          />
        </div>
      </div>
    </StepFrame>
  )
}

function Tracking({ draft: { choices, change } }: { draft: Draft }) {
  const { hasTotals } = useChannel()
  return (
    <fieldset className="space-y-3">
      <legend className="mb-1.5 text-sm font-medium text-ink">Tracking</legend>
      <Checkbox
        label="Opens"
        hint="Track opens with a pixel. Open counts are estimates; opens by machines are filtered out."
        checked={choices.trackOpens}
        onChange={(event) => change({ trackOpens: event.target.checked })}
      />
      <Checkbox
        label="Clicks"
        hint="Track clicks on links in this email."
        checked={choices.trackClicks}
        onChange={(event) => change({ trackClicks: event.target.checked })}
      />
      {hasTotals && (choices.trackOpens || choices.trackClicks) && (
        <RadioGroup
          legend="Track"
          className="pt-1"
          value={choices.trackingMode}
          onChange={(trackingMode) => change({ trackingMode })}
          options={[
            {
              value: 'individual',
              label: 'Each recipient',
              hint: 'See who opened and clicked, and use it in segments.',
            },
            {
              value: 'aggregate',
              label: 'Totals only',
              hint: 'Pixel and links are the same for everyone. Who opened or clicked, and how many people did, stays unknown.',
            },
          ]}
        />
      )}
    </fieldset>
  )
}
