import { useQueryClient } from '@tanstack/react-query'
import { type FieldErrors, type UseFormReturn, useForm } from 'react-hook-form'
import { type BounceSource, BounceSourceKind, bounceSources, POSTMARK_USER } from '#contracts/bounces/bounces.ts'
import { api } from '#web/api.ts'
import { fieldError, showRefusal } from '#web/forms.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { CopyLine } from './copy-line.tsx'
import { kinds } from './labels.tsx'

export type AddedSource = BounceSource & { secret: string | null }

const mailboxFields = ['host', 'port', 'secure', 'user', 'password', 'folder'] as const
type NewSource = Record<'key' | 'topicArn' | 'host' | 'port' | 'user' | 'password' | 'folder', string> & {
  kind: BounceSourceKind
  secure: 'tls' | 'starttls' | 'none'
}

/** Adds a source; what was added goes to `onAdded`, which shows its secret. */
export function AddSourceDialog({ onAdded, onClose }: { onAdded: (source: AddedSource) => void; onClose: () => void }) {
  const queries = useQueryClient()
  const { register, handleSubmit, watch, setError, formState } = useForm<NewSource>({
    defaultValues: {
      kind: 'sendgrid',
      key: '',
      topicArn: '',
      host: '',
      port: '993',
      secure: 'tls',
      user: '',
      password: '',
      folder: 'INBOX',
    },
  })
  const { errors, isSubmitting } = formState
  const chosen = watch('kind')
  const { key: keyHint, label } = kinds[chosen]
  const submit = handleSubmit(async ({ kind, key, topicArn, ...mailbox }) => {
    try {
      const own =
        kind === 'imap'
          ? { ...mailbox, port: Number(mailbox.port) }
          : kind === 'ses'
            ? { topicArn: topicArn.trim() }
            : kinds[kind].key
              ? { key: key.trim() }
              : {}
      const added = await api(bounceSources.create, { body: { kind, ...own } })
      await queries.invalidateQueries({ queryKey: ['bounce-sources'] })
      onAdded(added)
    } catch (error) {
      showRefusal(setError, ['kind', 'key', 'topicArn', ...mailboxFields], error)
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
      <Field label="Service" error={fieldError(errors, 'kind', 'Service')}>
        <Select {...register('kind')}>
          {BounceSourceKind.options.map((kind) => (
            <option key={kind} value={kind}>
              {kinds[kind].label}
            </option>
          ))}
        </Select>
      </Field>
      {keyHint && chosen === 'ses' && (
        <Field label="Topic ARN" hint={keyHint} error={fieldError(errors, 'topicArn', 'Topic ARN')}>
          <Input
            autoComplete="off"
            spellCheck={false}
            placeholder="arn:aws:sns:eu-west-1:123456789012:bounces"
            {...register('topicArn')}
          />
        </Field>
      )}
      {keyHint && chosen !== 'ses' && (
        <Field label={`Key from ${label}`} hint={keyHint} error={fieldError(errors, 'key', 'Key')}>
          <Input autoComplete="off" spellCheck={false} {...register('key')} />
        </Field>
      )}
      {chosen === 'imap' && <MailboxFields register={register} errors={errors} />}
    </FormDialog>
  )
}

function MailboxFields({
  register,
  errors,
}: Pick<UseFormReturn<NewSource>, 'register'> & { errors: FieldErrors<NewSource> }) {
  return (
    <>
      <Field label="IMAP server" error={fieldError(errors, 'host', 'IMAP server')}>
        <Input placeholder="imap.example.com" spellCheck={false} {...register('host')} />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Security" error={fieldError(errors, 'secure', 'Security')}>
          <Select {...register('secure')}>
            <option value="tls">TLS</option>
            <option value="starttls">STARTTLS</option>
            <option value="none">None</option>
          </Select>
        </Field>
        <Field label="Port" error={fieldError(errors, 'port', 'Port')}>
          <Input inputMode="numeric" {...register('port')} />
        </Field>
      </div>
      <Field label="User name" error={fieldError(errors, 'user', 'User name')}>
        <Input autoComplete="off" spellCheck={false} {...register('user')} />
      </Field>
      <Field label="Password" error={fieldError(errors, 'password', 'Password')}>
        <Input type="password" autoComplete="new-password" {...register('password')} />
      </Field>
      <Field
        label="Folder"
        hint="Bounces in it are deleted once they are applied. Everything else stays."
        error={fieldError(errors, 'folder', 'Folder')}
      >
        <Input spellCheck={false} {...register('folder')} />
      </Field>
    </>
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
