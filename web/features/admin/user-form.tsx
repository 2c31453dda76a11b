import { useId, useState } from 'react'
import type { z } from 'zod'
import { PlanName, Role } from '#contracts/accounts.ts'
import { type AdminUserDetail, admin } from '#contracts/admin.ts'
import { isPaid } from '#contracts/plans.ts'
import { api, messageOf } from '#web/api.ts'
import { FormBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toaster.tsx'
import { useUserAction } from './queries.ts'
import { capital, planOptions } from './words.ts'

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
  const save = useUserAction(() =>
    api(admin.changeUser, {
      params: { id: user.id },
      body: changed as { plan?: z.infer<typeof PlanName>; planUntil?: string | null; role?: z.infer<typeof Role> },
    }),
  )
  return (
    <form
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(undefined, { onSuccess: () => toast.success(`${user.email} is changed`) })
      }}
      className="space-y-3"
    >
      <h3 id={id} className="sr-only">
        Plan and role
      </h3>
      <FormBanner error={save.error && messageOf(save.error)} />
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
              ? 'It is paid for by a subscription. A day here sets it by hand as well, until that day is over (UTC).'
              : 'Set by hand until this day is over (UTC), for bank transfer and the like. Empty is without an end.'
          }
        >
          <Input type="date" value={until} onChange={(event) => setUntil(event.target.value)} className="max-w-44" />
        </Field>
      )}
      {self && <p className="text-sm text-muted">This is you: another admin can change your role.</p>}
      {role === 'admin' && user.role !== 'admin' && (
        <p className="text-sm text-text">
          An admin sees every user, changes plans and roles, and can suspend anybody but himself.
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
