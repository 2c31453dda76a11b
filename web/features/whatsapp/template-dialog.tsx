import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#contracts/client.ts'
import { type Conversation, whatsappConversations } from '#contracts/whatsapp-inbox.ts'
import type { WhatsAppTemplate } from '#contracts/whatsapp-templates.ts'
import { api, messageOf } from '#web/api.ts'
import { FormBanner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LetterDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { PhonePreview } from './phone-preview.tsx'
import { useWhatsAppTemplates } from './template-queries.ts'
import { TemplateValues } from './template-values.tsx'
import { categoryInWords, languageInWords } from './words.ts'

/** Which approved template to send, its values, and how it will look. */
export function TemplateDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const templates = useWhatsAppTemplates({ accountId: conversation.accountId, status: 'APPROVED' })
  const [chosen, setChosen] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const items = templates.data?.items ?? []
  const template = items.find(({ id }) => id === chosen) ?? items[0]
  const send = useSending(conversation, template, values, onClose)
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => !open && onClose()}
      title={`Send a template to ${conversation.name}`}
      description="Only templates Meta has approved are here."
      footer={
        template && (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" busy={send.isPending} onClick={() => send.mutate()}>
              Send template
            </Button>
          </>
        )
      }
    >
      {templates.isPending ? (
        <SkeletonRows rows={4} />
      ) : templates.isError && !templates.data ? (
        <ErrorState
          title="The templates could not be loaded"
          error={templates.error}
          onRetry={() => templates.refetch()}
        />
      ) : !template ? (
        <EmptyState
          drawing={<LetterDrawing />}
          title="No approved template yet"
          action={<ButtonLink to="/whatsapp-sender/templates/new">Create a template</ButtonLink>}
        >
          Create one, and Meta reads it, usually within a day.
        </EmptyState>
      ) : (
        <div className="grid gap-6 pb-2 sm:grid-cols-2">
          <div className="space-y-4">
            <FormBanner error={send.problem} />
            <Field label="Template">
              <Select
                value={template.id}
                onChange={(event) => {
                  setChosen(event.target.value)
                  setValues({})
                }}
              >
                {items.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name} · {languageInWords(one.language)} · {categoryInWords(one.category)}
                  </option>
                ))}
              </Select>
            </Field>
            <TemplateValues
              template={template}
              values={values}
              errors={send.fields}
              onChange={(key, value) => setValues((old) => ({ ...old, [key]: value }))}
            />
          </div>
          <PhonePreview {...template} values={values} />
        </div>
      )}
    </Dialog>
  )
}

function useSending(
  conversation: Conversation,
  template: WhatsAppTemplate | undefined,
  values: Record<string, string>,
  onSent: () => void,
) {
  const queries = useQueryClient()
  const send = useMutation({
    mutationFn: () =>
      api(whatsappConversations.reply, {
        params: { id: conversation.id },
        body: { message: { kind: 'template', templateId: template?.id ?? '', variables: values } },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['whatsapp', 'messages', conversation.id] })
      onSent()
    },
  })
  const details = send.error instanceof ApiError ? send.error.details : []
  const fields = Object.fromEntries(
    details.flatMap(({ field, message }) =>
      field?.startsWith('variables.')
        ? [[field.slice('variables.'.length), message === 'is required' ? 'A value is needed here.' : message]]
        : [],
    ),
  )
  return { ...send, fields, problem: send.error && Object.keys(fields).length === 0 ? messageOf(send.error) : null }
}
