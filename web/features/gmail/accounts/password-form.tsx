import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { Email } from '#contracts/accounts/accounts.ts'
import { senders } from '#contracts/senders/senders.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, PasswordInput } from '#web/ui/form/input.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { GoogleLink } from './google-link.tsx'

/** Sixteen letters, with or without the spaces Google shows them with; the server checks the same. */
export const AppPassword = z.string().regex(/^(\s*[a-z]){16}\s*$/i, 'must be 16 letters, as shown by Google')
/** What leave to read means. */
export const READS_HINT =
  'Checks the mailbox once a minute with the same password, for senders of replies and for bounces. Follow-ups then stop when someone replies. Without it, replies and bounces can’t be detected.'
const Fields = z.object({ email: Email, appPassword: AppPassword, fromName: z.string(), reads: z.boolean() })

/** Connects an account by app password; it is tried at once with a real connection. */
export function PasswordForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm<z.infer<typeof Fields>>({
    resolver: checkedBy(Fields),
    defaultValues: { email: '', appPassword: '', fromName: '', reads: true },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async (fields) => {
    try {
      const saved = await api(senders.create, { body: { kind: 'gmail', ...fields } })
      await queries.invalidateQueries({ queryKey: ['senders'] })
      if (saved.state === 'failing') toast.error('Saved, but Google rejected it. See the account for the reason.')
      else toast.success(`${saved.fromEmail} connected`)
      onDone()
    } catch (error) {
      showRefusal(setError, ['email', 'appPassword', 'fromName'], error)
    }
  })
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <ol className="list-decimal space-y-1 pl-5 text-base text-text">
        <li>
          Turn on 2-Step Verification for the account, then open{' '}
          <GoogleLink to="https://myaccount.google.com/apppasswords">Google’s app passwords</GoogleLink>.
        </li>
        <li>Name it “Postlark” and choose Create.</li>
        <li>Copy the 16 letters here. Google shows them only once.</li>
      </ol>
      <FormBanner error={errors.root?.message} />
      <Field label="Gmail address" error={fieldError(errors, 'email', 'The address')}>
        <Input type="email" autoComplete="off" spellCheck={false} {...register('email')} />
      </Field>
      <Field label="App password" error={fieldError(errors, 'appPassword', 'The app password')}>
        <PasswordInput autoComplete="off" {...register('appPassword')} />
      </Field>
      <Field label="From name" optional error={fieldError(errors, 'fromName', 'The name')}>
        <Input autoComplete="off" {...register('fromName')} />
      </Field>
      <Checkbox label="Detect replies and bounces (recommended)" hint={READS_HINT} {...register('reads')} />
      <Button kind="primary" type="submit" busy={isSubmitting}>
        {isSubmitting ? 'Testing the connection' : 'Connect account'}
      </Button>
    </form>
  )
}
