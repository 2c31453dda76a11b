import { useId, useState } from 'react'
import type { z } from 'zod'
import { PlanName, Role } from '#contracts/accounts/accounts.ts'
import { type AdminUserDetail, admin } from '#contracts/admin/admin.ts'
import { isPaid } from '#contracts/billing/plans.ts'
import { api, errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { capital, planOptions } from './labels.ts'
import { useUserAction } from './queries.ts'

/** A plan set by hand counts to the end of its last day (UTC); no day is without an end. */
const lastMoment = (day: string) => (day === '' ? null : `${day}T23:59:59.000Z`)

/** Plan and role. Nothing changes before Save: a list that is walked with the arrow keys must not give rights away. */
export function UserForm({ user, self }: { user: AdminUserDetail; self: boolean }) {
  const id = useId()
  const [plan, setPlan] = useState(user.plan)
  const [role, setRole] = useState<string>(user.role)
  const known = user.planByHand?.until?.slice(0, 10) ?? ''
  const [until, setUntil] = useState(known)
  const changed = {
    ...(plan !== user.plan && { plan }),
    ...(isPaid(plan) && (until !== known || (plan !== user.plan && until !== '')) && { planUntil: lastMoment(until) }),
    ...(role !== user.role && { role }),
  }
  const dirty = Object.keys(changed).length > 0
  const save = useUserAction(
    () =>
      api(admin.changeUser, {
        params: { id: user.id },
        body: changed as { plan?: z.infer<typeof PlanName>; planUntil?: string | null; role?: z.infer<typeof Role> },
      }),
    () => toast.success(`${user.email} updated`),
  )
  return (
    <form
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(undefined)
      }}
      className="space-y-3"
    >
      <h3 id={id} className="sr-only">
        Plan and role
      </h3>
      <FormBanner error={save.error && errorMessage(save.error)} />
      <div className="grid grid-cols-2 gap-3">
        <Field label="Plan">
          <Select value={plan} onChange={(event) => setPlan(event.target.value)}>
            {!PlanName.safeParse(user.plan).success && <option value={user.plan}>{capital(user.plan)}</option>}
            {planOptions.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Role">
          <Select value={role} disabled={self} onChange={(event) => setRole(event.target.value)}>
            {Role.options.map((option) => (
              <option key={option} value={option}>
                {capital(option)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {isPaid(plan) && (
        <Field
          label="Plan ends after"
          optional
          hint={
            user.subscription && !user.planByHand && plan === user.plan
              ? 'This plan is paid by subscription. If you choose a date, the plan is also set manually until the end of that day (UTC).'
              : 'Set manually until the end of this day (UTC), for example for bank transfers. Leave empty for no end date.'
          }
        >
          <Input type="date" value={until} onChange={(event) => setUntil(event.target.value)} className="max-w-44" />
        </Field>
      )}
      {self && <p className="text-sm text-muted">This is your account. Another admin can change your role.</p>}
      {role === 'admin' && user.role !== 'admin' && (
        <p className="text-sm text-text">
          Admins can see all users, change plans and roles, and suspend anyone except themselves.
        </p>
      )}
      {dirty && (
        <div className="flex gap-2">
          <Button kind="primary" type="submit" size="sm" busy={save.isPending}>
            Save changes
          </Button>
          <Button
            size="sm"
            onClick={() => {
              setPlan(user.plan)
              setRole(user.role)
              setUntil(known)
              save.reset()
            }}
          >
            Discard
          </Button>
        </div>
      )}
    </form>
  )
}
