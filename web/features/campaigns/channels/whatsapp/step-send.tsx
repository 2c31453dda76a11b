import {
  describeAudience,
  describeExclusions,
  type MessageSummaryProps,
  SendStep,
  type StepProps,
  useAudienceNames,
} from '#web/features/campaigns/index.ts'
import { languageInWords, PhonePreview, useNumbers } from '#web/features/whatsapp/index.ts'
import { TestMessage } from './test-message.tsx'
import { readContent, useExample, useTemplate } from './use-content.ts'
import { valuesFor } from './values.ts'

/** Send: the message read back as it stands on a phone, what could hurt it, a test, and the button that holds the number. */
export function MessageSendStep(props: StepProps) {
  return <SendStep {...props} summary={Message} test={TestMessage} />
}

function Message({ draft, people, excluded, when }: MessageSummaryProps) {
  const content = readContent(draft)
  const { name } = draft.choices
  const template = useTemplate(content)
  const number = useNumbers().data?.items.find(({ id }) => id === content.accountId)
  const names = useAudienceNames(draft.choices)
  const contact = useExample(draft)
  const line = (label: string, value: string) => (
    <div className="flex flex-col gap-x-4 sm:flex-row">
      <dt className="w-24 shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
    </div>
  )
  return (
    <div className="grid gap-5 rounded-card border bg-surface p-5 wide:grid-cols-[minmax(0,1fr)_16rem]">
      <dl className="space-y-2.5 text-md">
        {line('Template', template ? `${template.name}, ${languageInWords(template.language)}` : 'no template yet')}
        {line('To', people && names ? `${people}, from ${describeAudience(names)}` : 'counting…')}
        {excluded.length > 0 && line('Skipped', describeExclusions(excluded, template?.category))}
        {line('From', number ? `${number.verifiedName}, ${number.displayPhone}` : 'no number yet')}
        {line('When', when)}
        {line('Campaign name', name)}
      </dl>
      {template && (
        <PhonePreview
          header={template.header}
          body={template.body}
          footer={template.footer}
          buttons={template.buttons}
          values={valuesFor(template, content.variables, contact)}
          from={number?.verifiedName}
        />
      )}
    </div>
  )
}
