import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { WhatsAppContent } from '#contracts/campaign-parts.ts'
import { contacts } from '#contracts/contacts.ts'
import { whatsappConversations } from '#contracts/whatsapp-inbox.ts'
import type { WhatsAppTemplate } from '#contracts/whatsapp-templates.ts'
import { api, messageOf } from '#web/api.ts'
import { type Draft, type LetterProps, SendStep, type StepProps } from '#web/features/campaigns/index.ts'
import { useContacts, useLists } from '#web/features/contacts/index.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { PhonePreview } from '../phone-preview.tsx'
import { useNumbers } from '../queries.ts'
import { contentOf, useTemplate } from './use-content.ts'
import { valuesFor } from './values.ts'

/** Send: the message read back as it stands on a phone, what could hurt it, a test, and the button that holds the number. */
export function MessageSendStep(props: StepProps) {
  return <SendStep {...props} letter={Message} test={TestMessage} />
}

function Message({ draft, people, when }: LetterProps) {
  const content = contentOf(draft)
  const { listIds, name } = draft.answers
  const template = useTemplate(content)
  const number = useNumbers().data?.items.find(({ id }) => id === content.accountId)
  const names = useLists().data?.items.filter(({ id }) => listIds.includes(id)) ?? []
  const contact = useContacts({ listId: listIds[0], limit: 20 }).data?.items.find(({ phone }) => phone !== null)
  const line = (label: string, value: string) => (
    <div className="flex flex-col gap-x-4 sm:flex-row">
      <dt className="w-24 shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
    </div>
  )
  return (
    <div className="grid gap-5 rounded-card border bg-surface p-5 wide:grid-cols-[minmax(0,1fr)_16rem]">
      <dl className="space-y-2.5 text-md">
        {line('What', template ? `${template.name} (${template.language})` : 'no template yet')}
        {line('To', people ? `${people}, from ${names.map((list) => list.name).join(' and ')}` : 'counting…')}
        {line('From', number ? `${number.verifiedName}, ${number.displayPhone}` : 'no number yet')}
        {line('When', when)}
        {line('Named', name)}
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

/** The message as this contact gets it, sent by itself; it begins or goes on with a conversation in the inbox. */
async function sendTest(template: WhatsAppTemplate, { accountId, variables }: WhatsAppContent, to: string) {
  const phone = to.replaceAll(/[\s()-]/g, '')
  const { items } = await api(contacts.list, { query: { q: phone, limit: 20 } })
  const contact = items.find((one) => one.phone === phone)
  if (!contact)
    throw new Error('None of your contacts has this number. Write it with its country, such as +4930123456.')
  if (Object.values(variables).some(({ from }) => from === 'media'))
    throw new Error('A test takes the file of the header by its address only. The campaign takes the uploaded one.')
  await api(whatsappConversations.start, {
    body: {
      accountId: accountId ?? '',
      contactId: contact.id,
      templateId: template.id,
      variables: valuesFor(template, variables, contact),
    },
  })
}

/** One real message to one of the contacts who agreed; nobody else can be written to, not even for a test. */
function TestMessage({ draft }: { draft: Draft }) {
  const content = contentOf(draft)
  const template = useTemplate(content)
  const [to, setTo] = useState('')
  const test = useMutation({ mutationFn: async () => template && sendTest(template, content, to) })
  return (
    <form
      noValidate
      className="max-w-xl space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        test.mutate()
      }}
    >
      <div className="flex flex-wrap items-start gap-2">
        <Field
          label="Send a test to"
          className="min-w-0 flex-1 basis-56"
          hint="The number of a contact of yours with a recorded consent, such as your own."
        >
          <Input
            type="tel"
            autoComplete="tel"
            placeholder="+4930123456"
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </Field>
        <Button type="submit" className="sm:mt-6.5" busy={test.isPending} disabled={to.trim() === '' || !template}>
          Send the test
        </Button>
      </div>
      {test.isError && (
        <Banner tone="harm" role="alert">
          {messageOf(test.error)}
        </Banner>
      )}
      {test.isSuccess && (
        <Banner tone="good" role="status" title="The test was handed over">
          What becomes of it stands in the inbox. It counts in the results, and not in the campaign.
        </Banner>
      )}
    </form>
  )
}
