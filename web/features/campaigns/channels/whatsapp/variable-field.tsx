import { useMutation } from '@tanstack/react-query'
import type { WhatsAppValue } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import { whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import type { TemplateVariable, WhatsAppTemplate } from '#contracts/whatsapp/templates.ts'
import { api, errorMessage } from '#web/api.ts'
import { useContactFields, useFindField } from '#web/features/contacts/index.ts'
import { variableLabel } from '#web/features/whatsapp/index.ts'
import { Field } from '#web/ui/form/field.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { contactFields } from './values.ts'

interface VariableFieldProps {
  accountId: string
  template: WhatsAppTemplate
  variable: TemplateVariable
  value: WhatsAppValue | undefined
  /** undefined takes the value away; `typing`: more of it may follow. */
  onChange: (value: WhatsAppValue | undefined, typing?: boolean) => void
}

/** What fills one variable of a template: a field of the contact with a fallback, or the same words for everybody; of a media header a file. */
export function VariableField(props: VariableFieldProps) {
  return props.variable.kind === 'media' ? <MediaVariable {...props} /> : <TextVariable {...props} />
}

function TextVariable({ template, variable, value, onChange }: VariableFieldProps) {
  const findField = useFindField()
  const fields = contactFields(useContactFields().data?.attributes ?? [], (name) => findField(name)?.label)
  const name = variableLabel(variable, template)
  const field = value?.from === 'field' ? value : undefined
  const words = value?.from === 'text' ? value : undefined
  return (
    <div className="grid gap-3 sm:grid-cols-2 wide:grid-cols-1">
      <Field label={name} hint={variable.example && `For example ${variable.example}`}>
        <Select
          value={field ? field.field : words ? '=' : ''}
          onChange={(event) => {
            const chosen = event.target.value
            if (chosen === '') onChange(undefined)
            else if (chosen === '=') onChange({ from: 'text', text: '' }, true)
            else onChange({ from: 'field', field: chosen, fallback: field?.fallback ?? '' })
          }}
        >
          <option value="">Choose what to insert</option>
          {/* A field that was chosen before stays to be seen, also one that is gone. */}
          {field && !fields.some((one) => one.field === field.field) && (
            <option value={field.field}>{field.field.replace(/^attributes\./, '')}</option>
          )}
          {fields.map((one) => (
            <option key={one.field} value={one.field}>
              {one.label}
            </option>
          ))}
          <option value="=">Same text for everyone</option>
        </Select>
      </Field>
      {field && (
        <Field
          label={`${name}: fallback`}
          hint="Without a fallback, the pre-send check shows how many people have no value."
        >
          <Input
            value={field.fallback}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => onChange({ ...field, fallback: event.target.value }, true)}
          />
        </Field>
      )}
      {words && (
        <Field label={`${name}: text`}>
          <Input
            value={words.text}
            maxLength={1_000}
            autoComplete="off"
            onChange={(event) => onChange({ from: 'text', text: event.target.value }, true)}
          />
        </Field>
      )}
    </div>
  )
}

const accepted = {
  image: { accept: 'image/jpeg,image/png', hint: 'JPEG or PNG, up to 5 MB' },
  video: { accept: 'video/mp4,video/3gpp', hint: 'MP4 or 3GP, up to 16 MB' },
  document: { accept: '', hint: 'PDF or another document, up to 100 MB' },
}

function MediaVariable({ accountId, template, value, onChange }: VariableFieldProps) {
  const format = template.header?.format
  const { accept, hint } = accepted[format === 'image' || format === 'video' ? format : 'document']
  const upload = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData()
      form.set('file', file)
      return api(whatsappConversations.upload, { query: { accountId }, form })
    },
    onSuccess: ({ mediaId, fileName }) => onChange({ from: 'media', mediaId, fileName }),
  })
  const address = value?.from === 'text' ? value.text : ''
  return (
    <div className="space-y-3">
      <FileDrop
        label={upload.isPending ? 'Uploading to Meta…' : `Header file (${format ?? 'file'})`}
        hint={hint}
        accept={accept}
        disabled={upload.isPending}
        error={upload.isError ? errorMessage(upload.error) : undefined}
        onFile={(file) => upload.mutate(file)}
      />
      {value?.from === 'media' && (
        <p role="status" className="text-base text-ink">
          {value.fileName || 'A file'} is stored by Meta for 30 days.
        </p>
      )}
      <Field label="Or enter a URL" optional hint="Starts with https://. Meta downloads it for each message.">
        <Input
          type="url"
          value={address}
          maxLength={2_000}
          autoComplete="off"
          placeholder="https://"
          onChange={(event) =>
            onChange(event.target.value === '' ? undefined : { from: 'text', text: event.target.value }, true)
          }
        />
      </Field>
    </div>
  )
}
