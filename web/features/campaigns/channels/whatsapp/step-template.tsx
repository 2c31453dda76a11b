import { Link } from 'react-router'
import type { WhatsAppContent, WhatsAppValue } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import type { WhatsAppTemplate } from '#contracts/whatsapp/templates.ts'
import { type Draft, StepFrame, type StepProps } from '#web/features/campaigns/index.ts'
import {
  categoryInWords,
  languageInWords,
  PhonePreview,
  templateQuality,
  useNumbers,
  useWhatsAppTemplates,
} from '#web/features/whatsapp/index.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { EmailDrawing } from '#web/ui/theme/drawings.tsx'
import { readContent, useExample } from './use-content.ts'
import { valuesFor } from './values.ts'
import { VariableField } from './variable-field.tsx'

/** Which template, what fills its variables, and how it looks on a phone. */
export function TemplateStep({ draft }: StepProps) {
  const content = readContent(draft)
  const templates = useWhatsAppTemplates({ accountId: content.accountId ?? undefined })
  const all = templates.data?.items ?? []
  const sendable = all.filter((one) => one.sendable)
  const template = all.find(({ id }) => id === content.templateId)
  const keep = (changes: Partial<WhatsAppContent>, typing = false) =>
    draft.change({ whatsapp: { ...content, ...changes } }, typing)
  return (
    <StepFrame
      title="Choose a template"
      hint="Only templates approved by Meta can start a conversation. Variables are filled in for each person."
    >
      {templates.isError && !templates.data && (
        <ErrorState
          title="The templates could not be loaded"
          error={templates.error}
          onRetry={() => templates.refetch()}
        />
      )}
      {templates.isPending && <Skeleton className="h-48" />}
      {templates.data && sendable.length === 0 && <NoTemplate waiting={all.length} />}
      {sendable.length > 0 && (
        <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,1fr)_16rem]">
          <div className="min-w-0 space-y-6">
            <RadioGroup
              legend="Template"
              quietLegend
              cards
              options={sendable.map((one) => ({
                value: one.id,
                label: `${one.name} · ${languageInWords(one.language)}`,
                hint: (
                  <>
                    <span className="line-clamp-2 wrap-anywhere">{one.body}</span>
                    <span className="block">
                      {categoryInWords(one.category)}
                      {(one.quality === 'yellow' || one.quality === 'red') &&
                        ` · quality ${templateQuality[one.quality].label.toLowerCase()}`}
                    </span>
                  </>
                ),
              }))}
              value={content.templateId ?? undefined}
              onChange={(templateId) =>
                keep({ templateId, variables: beginning(all.find(({ id }) => id === templateId)) })
              }
            />
            {template && <Variables template={template} content={content} onChange={keep} />}
            {all.length > sendable.length && (
              <p className="text-sm text-muted">
                {plural(all.length - sendable.length, 'more template')} can’t be sent now.{' '}
                <Link to="/whatsapp-sender/templates" className="font-medium text-accent-text hover:underline">
                  See why
                </Link>
              </p>
            )}
          </div>
          {template && <Preview template={template} content={content} draft={draft} />}
        </div>
      )}
    </StepFrame>
  )
}

/** What a template begins with: a variable that asks for a name gets the name, with a word for who has none. */
function beginning(template: WhatsAppTemplate | undefined): WhatsAppContent['variables'] {
  const variables: Record<string, WhatsAppValue> = {}
  for (const { key } of template?.variables ?? [])
    if (/name/.test(key)) variables[key] = { from: 'field', field: 'first_name', fallback: 'there' }
  return variables
}

function NoTemplate({ waiting }: { waiting: number }) {
  return (
    <Card flush>
      <EmptyState
        drawing={<EmailDrawing />}
        title="No template can be sent yet"
        action={
          <ButtonLink kind="primary" to="/whatsapp-sender/templates">
            See the templates
          </ButtonLink>
        }
      >
        {waiting > 0
          ? `${plural(waiting, 'template')} waiting for Meta’s approval or paused by Meta.`
          : 'Create a template and submit it to Meta. Reviews usually take minutes.'}
      </EmptyState>
    </Card>
  )
}

interface VariablesProps {
  template: WhatsAppTemplate
  content: WhatsAppContent
  onChange: (changes: Partial<WhatsAppContent>, typing?: boolean) => void
}

function Variables({ template, content, onChange }: VariablesProps) {
  if (template.variables.length === 0)
    return <p className="text-base text-muted">This template has no variables. Everyone gets the same text.</p>
  return (
    <Card
      title="Template variables"
      description="People without a value get the fallback. An empty variable is never sent."
    >
      <div className="space-y-5">
        {template.variables.map((variable) => (
          <VariableField
            key={variable.key}
            accountId={content.accountId ?? ''}
            template={template}
            variable={variable}
            value={content.variables[variable.key]}
            onChange={(value, typing) => {
              const variables = { ...content.variables }
              if (value) variables[variable.key] = value
              else delete variables[variable.key]
              onChange({ variables }, typing)
            }}
          />
        ))}
      </div>
    </Card>
  )
}

function Preview({ template, content, draft }: { template: WhatsAppTemplate; content: WhatsAppContent; draft: Draft }) {
  const number = useNumbers().data?.items.find(({ id }) => id === content.accountId)
  const contact = useExample(draft)
  return (
    <div className="min-w-0 space-y-2 wide:sticky wide:top-6">
      <PhonePreview
        header={template.header}
        body={template.body}
        footer={template.footer}
        buttons={template.buttons}
        values={valuesFor(template, content.variables, contact)}
        from={number?.verifiedName}
      />
      {contact && (
        <p className="text-center text-sm wrap-anywhere text-muted">
          Preview as {contact.name || contact.phone || contact.bsuid}
        </p>
      )}
    </div>
  )
}
