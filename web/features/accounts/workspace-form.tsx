import { useForm } from 'react-hook-form'
import { accounts, type User } from '#contracts/accounts/accounts.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useSaveUser } from './queries.ts'

/** Company and postal address, which stand in the footer of every email, and how often one contact is emailed. */
export function WorkspaceForm({ user }: { user: User }) {
  const save = useSaveUser()
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: checkedBy(accounts.update.body),
    defaultValues: { company: user.company, postalAddress: user.postalAddress, weeklyEmails: user.weeklyEmails },
  })
  const submit = handleSubmit(async (body) => {
    try {
      const { company, postalAddress, weeklyEmails } = await save(body)
      reset({ company, postalAddress, weeklyEmails })
      toast.success('Workspace saved')
    } catch (error) {
      showRefusal(setError, ['company', 'postalAddress', 'weeklyEmails'], error)
    }
  })
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <FormBanner error={formState.errors.root?.message} />
      <Field label="Company" optional error={fieldError(formState.errors, 'company', 'Company')}>
        <Input autoComplete="organization" {...register('company')} />
      </Field>
      <Field
        label="Postal address"
        optional
        hint="Most countries require it in commercial email. In production, campaigns can’t be sent without it."
        error={fieldError(formState.errors, 'postalAddress', 'Postal address')}
      >
        <Textarea rows={3} autoComplete="street-address" {...register('postalAddress')} />
      </Field>
      <Field
        label="Weekly limit per contact"
        optional
        hint="Emails from all campaigns in the last seven days. Campaigns skip contacts who have reached the limit. Leave it empty for no limit."
        error={fieldError(formState.errors, 'weeklyEmails', 'Weekly limit')}
      >
        <Input
          type="number"
          inputMode="numeric"
          min={1}
          max={50}
          className="max-w-32"
          {...register('weeklyEmails', {
            setValueAs: (value) => (value === '' || value === null ? null : Number(value)),
          })}
        />
      </Field>
      <Button type="submit" kind="primary" busy={formState.isSubmitting} disabled={!formState.isDirty}>
        Save changes
      </Button>
    </form>
  )
}
