import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type BounceSource, BounceSourceKind, bounceSources, POSTMARK_USER } from '#contracts/bounces/bounces.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { CopyLine } from './copy-line.tsx'
import { kinds } from './labels.tsx'

export type AddedSource = BounceSource & { secret: string | null }

/** Adds a source; what was added goes to `onAdded`, which shows its secret. */
export function AddSourceDialog({ onAdded, onClose }: { onAdded: (source: AddedSource) => void; onClose: () => void }) {
  const queries = useQueryClient()
  const { register, handleSubmit, watch, setError, formState } = useForm<{ kind: BounceSourceKind; key: string }>({
    defaultValues: { kind: 'sendgrid', key: '' },
  })
  const { errors, isSubmitting } = formState
  const { key: keyHint, label } = kinds[watch('kind')]
  const submit = handleSubmit(async ({ kind, key }) => {
    try {
      const body = kinds[kind].key ? { kind, key: key.trim() } : { kind }
      const added = await api(bounceSources.create, { body })
      await queries.invalidateQueries({ queryKey: ['bounce-sources'] })
      onAdded(added)
    } catch (error) {
      showRefusal(setError, ['kind', 'key'], error)
    }
  })
  return (
    <FormDialog
      title="Add bounce source"
      description="Bounces and spam reports come from the service that sends your emails, or from the servers they are sent to."
      action="Add source"
      busy={isSubmitting}
      error={errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Source" error={fieldError(errors, 'kind', 'Source')}>
        <Select {...register('kind')}>
          {BounceSourceKind.options.map((kind) => (
            <option key={kind} value={kind}>
              {kinds[kind].label}
            </option>
          ))}
        </Select>
      </Field>
      {keyHint && (
        <Field label={`Key from ${label}`} hint={keyHint} error={fieldError(errors, 'key', 'Key')}>
          <Input autoComplete="off" spellCheck={false} {...register('key')} />
        </Field>
      )}
    </FormDialog>
  )
}

/** Postmark sends the secret in the URL. */
const withPassword = (url: string, secret: string) => url.replace('://', `://${POSTMARK_USER}:${secret}@`)

/** What to do next, with the secret, which is shown this once. */
export function AddedDialog({ source, onClose }: { source: AddedSource; onClose: () => void }) {
  const { kind, secret, webhookUrl, address } = source
  const url = kind === 'postmark' && webhookUrl && secret ? withPassword(webhookUrl, secret) : webhookUrl
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Connect ${source.name}`}
      description={secret ? 'The secret is shown this once. Copy it now.' : undefined}
      footer={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p className="mb-4 text-text">{kinds[kind].steps}</p>
      <div className="space-y-3">
        {url && <CopyLine label={kind === 'postmark' ? 'Webhook URL with its secret' : 'Webhook URL'} text={url} />}
        {address && <CopyLine label="Feedback address" text={address} />}
        {secret && kind !== 'postmark' && <CopyLine label="Secret" text={secret} />}
      </div>
    </Dialog>
  )
}

/** Changes the name of a source. */
export function RenameDialog({ source, onClose }: { source: BounceSource; onClose: () => void }) {
  const queries = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: checkedBy(bounceSources.update.body),
    defaultValues: { name: source.name },
  })
  const submit = handleSubmit(async (body) => {
    try {
      await api(bounceSources.update, { params: { id: source.id }, body })
      await queries.invalidateQueries({ queryKey: ['bounce-sources'] })
      toast.success('Bounce source saved')
      onClose()
    } catch (error) {
      showRefusal(setError, ['name'], error)
    }
  })
  return (
    <FormDialog
      title="Rename bounce source"
      size="sm"
      action="Save changes"
      busy={formState.isSubmitting}
      error={formState.errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={fieldError(formState.errors, 'name', 'Name')}>
        <Input autoComplete="off" {...register('name')} />
      </Field>
    </FormDialog>
  )
}
