import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { JourneyStep } from '#contracts/journeys/definition.ts'
import { LineField, ReplyToField, TemplateChoice } from '#web/features/campaigns/index.ts'
import { fromLine, senderName, useMailServers } from '#web/features/senders/index.ts'
import { TemplateThumbnail } from '#web/features/templates/index.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useTemplates } from '#web/use-templates.ts'
import { CheckedInput } from './checked-input.tsx'
import type { StepFormProps } from './step-form.tsx'

type EmailStep = Extract<JourneyStep, { kind: 'email' }>

/** What is sent, from whom. The same questions as the wizard of campaigns asks. */
export function EmailForm({ step, errors, onChange }: StepFormProps<EmailStep>) {
  const { servers } = useMailServers()
  const sender = servers?.find(({ id }) => id === step.senderId) ?? servers?.find(({ isDefault }) => isDefault)
  const type = (changes: Partial<EmailStep>) => onChange({ ...step, ...changes }, Object.keys(changes).join())
  return (
    <div className="space-y-5">
      <CheckedInput
        label="Name"
        hint="Only you see it."
        maxLength={120}
        value={step.name}
        check={(text) => (text.trim() === '' ? 'Enter a name.' : undefined)}
        onEnter={(name) => type({ name })}
      />
      <LineField
        label="Subject"
        kind="subject"
        value={step.subject}
        error={errors.subject}
        onChange={(subject) => type({ subject })}
      />
      <LineField
        label="Preview text"
        kind="preview"
        value={step.preheader}
        error={errors.preheader}
        onChange={(preheader) => type({ preheader })}
      />
      <TemplateField
        templateId={step.templateId}
        error={errors.templateId}
        onChoose={(templateId) => onChange({ ...step, templateId })}
      />
      <Field
        label="Sender"
        error={errors.senderId}
        aside={
          <Link to="/senders" className="text-accent-text hover:underline">
            Manage senders
          </Link>
        }
      >
        <Select
          value={step.senderId ?? ''}
          onChange={(event) => onChange({ ...step, senderId: event.target.value || null })}
        >
          <option value="">Default sender</option>
          {servers?.map((one) => (
            <option key={one.id} value={one.id}>
              {senderName(one)}: {fromLine(one)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Sender name" optional error={errors.fromName} hint={sender && `Sent from ${sender.fromEmail}`}>
        <Input
          value={step.fromName}
          maxLength={80}
          autoComplete="off"
          placeholder={sender?.fromName || sender?.fromEmail}
          onChange={(event) => type({ fromName: event.target.value })}
        />
      </Field>
      <ReplyToField value={step.replyTo} placeholder={sender?.fromEmail} onChange={(replyTo) => type({ replyTo })} />
    </div>
  )
}

interface TemplateFieldProps {
  templateId: string | null
  error: string | undefined
  onChoose: (id: string) => void
}

/** The chosen template in small, and the way to another one. */
function TemplateField({ templateId, error, onChoose }: TemplateFieldProps) {
  const [isChoosing, setChoosing] = useState(false)
  const { data } = useTemplates()
  const chosen = data?.items.find(({ id }) => id === templateId)
  return (
    <fieldset aria-describedby={error && 'template-error'}>
      <legend className="mb-1.5 text-sm font-medium text-ink">Template</legend>
      {chosen ? (
        <div className="rounded-card border bg-surface">
          <TemplateThumbnail id={chosen.id} version={chosen.updatedAt} />
          <div className="flex flex-wrap items-center justify-between gap-2 px-3 py-2.5">
            <span className="min-w-0 truncate text-base font-medium text-ink">{chosen.name}</span>
            <span className="flex gap-2">
              <ButtonLink
                size="sm"
                to={`/editor/${chosen.id}?${new URLSearchParams({ return: location.pathname })}`}
                icon={<Pencil aria-hidden="true" className="size-3.5" />}
              >
                Edit
              </ButtonLink>
              <Button size="sm" onClick={() => setChoosing(true)}>
                Change
              </Button>
            </span>
          </div>
        </div>
      ) : (
        <Button onClick={() => setChoosing(true)}>Choose a template</Button>
      )}
      {error && (
        <p id="template-error" className="mt-1.5 text-sm text-harm-text">
          {error}
        </p>
      )}
      {isChoosing && (
        <Dialog open onOpenChange={setChoosing} size="lg" title="Choose a template">
          <div className="space-y-6 pb-5">
            <TemplateChoice
              chosenId={templateId}
              onChoose={({ id }) => {
                onChoose(id)
                setChoosing(false)
              }}
            />
          </div>
        </Dialog>
      )}
    </fieldset>
  )
}
