import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type CredentialCheck, type WhatsAppNumber, whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { findCheck, Typed, valueFields } from './credentials.ts'
import { SandboxNumberButton } from './sandbox-number.tsx'
import { ValueField } from './value-field.tsx'

interface ConnectFormProps {
  /** This machine plays Meta itself. */
  sandbox: boolean
  onConnected: (account: WhatsAppNumber) => void
  onCancel?: (() => void) | undefined
}

/** The four values, each tried with a real call before anything is saved; the results are shown at their fields. */
export function ConnectForm({ sandbox, onConnected, onCancel }: ConnectFormProps) {
  const queries = useQueryClient()
  const [checks, setChecks] = useState<CredentialCheck[]>([])
  const form = useForm<Typed>({
    resolver: checkedBy(Typed),
    defaultValues: { phoneNumberId: '', businessAccountId: '', accessToken: '', appSecret: '' },
  })
  const { formState, register, setError } = form
  const submit = form.handleSubmit(async (body) => {
    setChecks([])
    try {
      const tried = await api(whatsappNumbers.check, { body })
      setChecks(tried.checks)
      if (!tried.ok) return
      const account = await api(whatsappNumbers.create, { body })
      await queries.invalidateQueries({ queryKey: ['whatsapp'] })
      toast.success(`${account.displayPhone} connected`)
      onConnected(account)
    } catch (error) {
      showRefusal(setError, ['phoneNumberId', 'businessAccountId', 'accessToken', 'appSecret'], error)
    }
  })
  const wrong = checks.filter(({ ok }) => ok === false).length
  return (
    <form noValidate onSubmit={submit} className="space-y-4 rounded-card border bg-surface p-5">
      <h2 className="text-base font-semibold">Connect number</h2>
      <FormBanner
        error={
          formState.errors.root?.message ??
          (wrong > 0 ? 'Meta rejected some of these values. Nothing was saved. Fix the marked fields.' : null)
        }
      />
      {sandbox && (
        <Banner title="Sandbox mode" action={<SandboxNumberButton size="sm" onConnected={onConnected} />}>
          Connect a test number of your own in one click. No real messages are sent. Read and reply as your contacts
          under Sandbox.
        </Banner>
      )}
      {valueFields.map(({ field, ...rest }) => (
        <ValueField
          key={field}
          {...rest}
          error={fieldError(formState.errors, field, rest.label)}
          check={findCheck(checks, field)}
          // What was said of a value holds for that value only.
          control={register(field, {
            onChange: () => setChecks((old) => old.filter((check) => check.field !== field)),
          })}
        />
      ))}
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button kind="primary" type="submit" busy={formState.isSubmitting}>
          {formState.isSubmitting ? 'Checking with Meta' : 'Check and connect'}
        </Button>
      </div>
    </form>
  )
}
