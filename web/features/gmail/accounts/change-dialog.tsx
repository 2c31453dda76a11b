import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { gmailPerMinute } from '#contracts/gmail/gmail.ts'
import { senders } from '#contracts/senders/senders.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, PasswordInput } from '#web/ui/form/input.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { AppPassword, READS_HINT } from './password-form.tsx'
import type { Account } from './queries.ts'

const between = (min: number, max: number) =>
  z.string().refine((typed) => typed.trim() !== '' && Number(typed) >= min && Number(typed) <= max, {
    message: `must be a number from ${formatNumber(min)} to ${formatNumber(max)}`,
  })

const wholeBetween = (min: number, max: number) =>
  between(min, max).refine((typed) => Number.isInteger(Number(typed)), { message: 'must be a whole number' })

const buildSchema = (cap: number) =>
  z.object({
    fromName: z.string(),
    perDay: wholeBetween(1, cap),
    perMinute: between(0.1, gmailPerMinute.max),
    rampUp: z.boolean(),
    password: z.union([z.literal(''), AppPassword]),
    reads: z.boolean(),
  })

/** What can be changed of an account: the name it writes with, its limits, its slow start, its app password. */
export function ChangeDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const queries = useQueryClient()
  const { gmail, limits } = account
  const { register, handleSubmit, setError, formState } = useForm<z.infer<ReturnType<typeof buildSchema>>>({
    resolver: checkedBy(buildSchema(gmail.dailyCap)),
    defaultValues: {
      fromName: account.fromName,
      perDay: String(limits.perDay ?? gmail.dailyCap),
      perMinute: String(limits.perMinute ?? gmailPerMinute.default),
      rampUp: gmail.rampUp,
      password: '',
      reads: gmail.reads,
    },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ fromName, perDay, perMinute, rampUp, password, reads }) => {
    try {
      const body = {
        fromName,
        rampUp,
        limits: { perDay: Number(perDay), perMinute: Number(perMinute) },
        ...(password && { password }),
        ...(reads !== gmail.reads && { reads }),
      }
      const saved = await api(senders.update, { params: { id: account.id }, body })
      await queries.invalidateQueries({ queryKey: ['senders'] })
      if (password && saved.state === 'failing')
        toast.error('Saved, but Google rejected it. See the account for the reason.')
      else toast.success('Account saved')
      onClose()
    } catch (error) {
      showRefusal(setError, ['fromName', 'password'], error)
    }
  })
  return (
    <FormDialog
      title={`Edit ${account.fromEmail}`}
      action="Save changes"
      busy={isSubmitting}
      error={errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="From name" optional error={fieldError(errors, 'fromName', 'The name')}>
        <Input autoComplete="off" {...register('fromName')} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Limit per 24 hours"
          hint={`Google allows ${formatNumber(gmail.dailyCap)}.`}
          error={fieldError(errors, 'perDay', 'The limit')}
        >
          <Input inputMode="numeric" autoComplete="off" {...register('perDay')} />
        </Field>
        <Field
          label="Limit per minute"
          hint="Slower sending looks more natural."
          error={fieldError(errors, 'perMinute', 'The limit')}
        >
          <Input inputMode="decimal" autoComplete="off" {...register('perMinute')} />
        </Field>
      </div>
      <Checkbox
        label="Warm-up"
        hint="50 emails in the first 24 hours, increasing 50% a day up to the limit. Google often blocks accounts that suddenly send a lot."
        {...register('rampUp')}
      />
      {gmail.access === 'app_password' && (
        <>
          <Field
            label="New app password"
            optional
            hint="Leave empty to keep the current password."
            error={fieldError(errors, 'password', 'The app password')}
          >
            <PasswordInput autoComplete="off" {...register('password')} />
          </Field>
          <Checkbox label="Detect replies and bounces" hint={READS_HINT} {...register('reads')} />
        </>
      )}
    </FormDialog>
  )
}
