import { Controller, useForm } from 'react-hook-form'
import { accounts, type User } from '#contracts/accounts/accounts.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { ZoneField } from '#web/ui/form/zoned-fields.tsx'
import { browserZone } from '#web/ui/lib/zoned-time.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useSaveUser } from './queries.ts'

/** Name and time zone; the address is shown, because it cannot be changed. */
export function ProfileForm({ user }: { user: User }) {
  const save = useSaveUser()
  const { control, register, handleSubmit, setError, reset, formState } = useForm({
    resolver: checkedBy(accounts.update.body),
    defaultValues: { name: user.name, timeZone: user.timeZone },
  })
  const submit = handleSubmit(async (body) => {
    try {
      const { name, timeZone } = await save(body)
      reset({ name, timeZone })
      toast.success('Profile saved')
    } catch (error) {
      showRefusal(setError, ['name', 'timeZone'], error)
    }
  })
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <FormBanner error={formState.errors.root?.message} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" error={fieldError(formState.errors, 'name', 'Name')}>
          <Input autoComplete="name" {...register('name')} />
        </Field>
        <Field label="Email">
          <Input type="email" readOnly value={user.email} className="bg-sunken text-muted" />
        </Field>
        <Controller
          control={control}
          name="timeZone"
          render={({ field }) => (
            <ZoneField
              className="sm:col-span-2"
              value={field.value ?? ''}
              onChange={(zone) => field.onChange(zone || null)}
              none={`Same as this browser (${browserZone().replaceAll('_', ' ')})`}
              hint="Times are shown in this time zone. New schedules and sending hours start with it."
              error={fieldError(formState.errors, 'timeZone', 'Time zone')}
            />
          )}
        />
      </div>
      <Button type="submit" kind="primary" busy={formState.isSubmitting} disabled={!formState.isDirty}>
        Save changes
      </Button>
    </form>
  )
}
