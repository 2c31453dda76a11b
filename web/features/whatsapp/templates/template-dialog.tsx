import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#contracts/client.ts'
import type { WhatsAppTemplate } from '#contracts/whatsapp/templates.ts'
import { errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { EmailDrawing } from '#web/ui/theme/drawings.tsx'
import { categoryInWords, languageInWords } from '../labels.ts'
import { useNumbers } from '../numbers/queries.ts'
import { PhonePreview } from './phone-preview.tsx'
import { useWhatsAppTemplates } from './queries.ts'
import { TemplateValues } from './template-values.tsx'

interface TemplateDialogProps {
  title: string
  accountId: string
  /** What has to be said besides the template: to whom. */
  children?: React.ReactNode
  /** Why it cannot go yet, in a sentence. */
  missing?: string | undefined
  /** Sends it; what it throws is said over the form or at the value it names. */
  onSend: (template: { templateId: string; variables: Record<string, string> }) => Promise<unknown>
  onClose: () => void
}

/** Which approved template to send, its values, and how it will look. */
export function TemplateDialog({ title, accountId, children, missing, onSend, onClose }: TemplateDialogProps) {
  const templates = useWhatsAppTemplates({ accountId, status: 'APPROVED' })
  const from = useNumbers().data?.items.find(({ id }) => id === accountId)
  const [chosen, setChosen] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const items = templates.data?.items ?? []
  const template = items.find(({ id }) => id === chosen) ?? items[0]
  const send = useSending(template, values, missing, onSend, onClose)
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description="Only templates approved by Meta are listed."
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
        <>
          {/* Another number may have one. */}
          {children && <div className="space-y-4">{children}</div>}
          <EmptyState
            drawing={<EmailDrawing />}
            title="No approved templates yet"
            action={<ButtonLink to="/whatsapp-sender/templates/new">Create template</ButtonLink>}
          >
            Create a template. Meta usually reviews it within a day.
          </EmptyState>
        </>
      ) : (
        <div className="grid gap-6 pb-2 sm:grid-cols-2">
          <div className="space-y-4">
            <FormBanner error={send.problem} />
            {children}
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
          <PhonePreview {...template} values={values} from={from?.verifiedName || from?.name} />
        </div>
      )}
    </Dialog>
  )
}

/** The values a refusal names, each with what is missing. */
function valuesNamed(error: unknown): Record<string, string> {
  const details = error instanceof ApiError ? error.details : []
  return Object.fromEntries(
    details.flatMap(({ field = '', message }) =>
      field.startsWith('variables.')
        ? [[field.slice('variables.'.length), message === 'is required' ? 'Enter a value.' : message]]
        : [],
    ),
  )
}

function useSending(
  template: WhatsAppTemplate | undefined,
  variables: Record<string, string>,
  missing: string | undefined,
  onSend: TemplateDialogProps['onSend'],
  onSent: () => void,
) {
  const send = useMutation({
    mutationFn: async () => {
      if (missing) throw new Error(missing)
      return onSend({ templateId: template?.id ?? '', variables })
    },
    onSuccess: onSent,
  })
  const fields = valuesNamed(send.error)
  return { ...send, fields, problem: send.error && Object.keys(fields).length === 0 ? errorMessage(send.error) : null }
}
