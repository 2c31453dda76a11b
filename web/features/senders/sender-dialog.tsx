import { useQueryClient } from '@tanstack/react-query'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { type Sender, senders } from '#contracts/senders/senders.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input, PasswordInput } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { Alignment } from './domains/alignment.tsx'
import { findProvider, providers } from './providers.ts'
import { ReceiverLimitFields } from './receivers/limit-fields.tsx'
import { commonBody, type SenderFields, serverBody, toSenderFields, typedBy, usualPort } from './sender-form.ts'

interface SenderDialogProps {
  /** null adds a new one. */
  sender: Sender | null
  onClose: () => void
  onSaved?: (sender: Sender) => void
}

/** A mail server and what may leave through it. Saving tries a real connection; the state says how that went. */
export function SenderDialog({ sender, onClose, onSaved }: SenderDialogProps) {
  const queries = useQueryClient()
  const form = useForm<SenderFields>({
    resolver: checkedBy(typedBy(sender?.isDefault ?? false)),
    defaultValues: toSenderFields(sender),
  })
  const submit = form.handleSubmit(async (fields) => {
    try {
      const body = { ...commonBody(fields), ...(!sender?.isDefault && serverBody(fields)) }
      const saved = sender
        ? await api(senders.update, { params: { id: sender.id }, body })
        : await api(senders.create, { body: { ...serverBody(fields), ...commonBody(fields) } })
      await queries.invalidateQueries({ queryKey: ['senders'] })
      if (!saved.fromConfirmed)
        toast.success(`Sender saved. Confirm ${saved.fromEmail} with the link we emailed to it.`)
      else if (saved.state === 'failing')
        toast.error('Saved, but the connection to the server failed. See the sender for the reason.')
      else toast.success(saved.state === 'working' ? 'Saved. The connection works.' : 'Sender saved')
      onSaved?.(saved)
      onClose()
    } catch (error) {
      showRefusal(form.setError, ['name', 'host', 'port', 'secure', 'user', 'password', 'fromName', 'fromEmail'], error)
    }
  })
  return (
    <FormDialog
      title={sender ? 'Edit sender' : 'Add sender'}
      description={
        sender?.isDefault
          ? 'The default sender uses this server’s mail server.'
          : 'Your own mail server. The connection is tested when you save.'
      }
      action={form.formState.isSubmitting ? 'Testing the connection' : sender ? 'Save changes' : 'Add sender'}
      busy={form.formState.isSubmitting}
      error={form.formState.errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      {!sender?.isDefault && <ServerFields form={form} hasPassword={sender?.hasPassword ?? false} />}
      <FromFields form={form} />
      <LimitFields form={form} />
      <ReceiverLimitFields form={form} />
    </FormDialog>
  )
}

type FormProps = { form: UseFormReturn<SenderFields> }

function ServerFields({
  form: { register, setValue, getValues, watch, formState },
  hasPassword,
}: FormProps & { hasPassword: boolean }) {
  const { errors } = formState
  const security = register('secure')
  const provider = findProvider(watch('host'))
  function choose(id: string) {
    const chosen = providers.find((one) => one.id === id)
    if (!chosen) return setValue('host', '')
    for (const field of ['host', 'port', 'secure'] as const) setValue(field, chosen[field], { shouldValidate: true })
    if (chosen.id === 'sendgrid' && getValues('user') === '') setValue('user', 'apikey')
  }
  return (
    <>
      <Field label="Provider" hint={provider?.hint}>
        <Select value={provider?.id ?? ''} onChange={(event) => choose(event.target.value)}>
          <option value="">Other mail server</option>
          {providers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Name" optional hint="Only visible to you." error={fieldError(errors, 'name', 'Name')}>
        <Input autoComplete="off" {...register('name')} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_6rem]">
        <Field label="Server" error={fieldError(errors, 'host', 'Server')}>
          <Input autoComplete="off" spellCheck={false} placeholder="smtp.example.com" {...register('host')} />
        </Field>
        <Field label="Port" error={fieldError(errors, 'port', 'Port')}>
          <Input inputMode="numeric" autoComplete="off" {...register('port')} />
        </Field>
      </div>
      <Field label="Security" error={fieldError(errors, 'secure', 'Security')}>
        <Select
          {...security}
          onChange={(event) => {
            void security.onChange(event)
            // Follow the usual port only while the port is a usual one.
            if (Object.values<string>(usualPort).includes(getValues('port')))
              setValue('port', usualPort[event.target.value as keyof typeof usualPort])
          }}
        >
          <option value="starttls">STARTTLS (usual on 587)</option>
          <option value="tls">TLS from the start (usual on 465)</option>
          <option value="none">None (only inside your own network)</option>
        </Select>
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Username" optional error={fieldError(errors, 'user', 'Username')}>
          <Input autoComplete="off" spellCheck={false} {...register('user')} />
        </Field>
        <Field
          label="Password"
          optional
          hint={hasPassword ? 'Leave empty to keep the current password.' : undefined}
          error={fieldError(errors, 'password', 'Password')}
        >
          <PasswordInput autoComplete="new-password" {...register('password')} />
        </Field>
      </div>
    </>
  )
}

function FromFields({ form: { register, formState, watch } }: FormProps) {
  return (
    <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
      <Field label="From name" optional error={fieldError(formState.errors, 'fromName', 'From name')}>
        <Input autoComplete="off" placeholder="Ada at Analytical Engines" {...register('fromName')} />
      </Field>
      <Field label="From address" error={fieldError(formState.errors, 'fromEmail', 'From address')}>
        <Input type="email" autoComplete="off" spellCheck={false} {...register('fromEmail')} />
      </Field>
      <div className="sm:col-span-2">
        <Alignment address={watch('fromEmail')} />
      </div>
    </div>
  )
}

function LimitFields({ form: { register, formState } }: FormProps) {
  const { errors } = formState
  return (
    <div>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Connections" error={fieldError(errors, 'connections', 'Connections')}>
          <Input type="number" min={1} max={50} {...register('connections')} />
        </Field>
        <Field label="Limit per second" error={fieldError(errors, 'perSecond', 'The limit')}>
          <Input type="number" min={0} max={1000} step="any" {...register('perSecond')} />
        </Field>
        <Field label="Limit per day" error={fieldError(errors, 'perDay', 'The limit')}>
          <Input type="number" min={1} max={1000000} {...register('perDay')} />
        </Field>
      </div>
      <p className="mt-1.5 text-sm text-muted">
        Check your provider’s limits. Postlark never exceeds the limits you enter. Leave a field empty for no limit.
      </p>
    </div>
  )
}
