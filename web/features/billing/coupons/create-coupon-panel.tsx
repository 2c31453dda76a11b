import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { coupons } from '#contracts/billing/coupons.ts'
import { plans } from '#contracts/billing/plans.ts'
import { ApiError } from '#contracts/client.ts'
import type { Input as InputOf } from '#contracts/endpoint.ts'
import { api, errorMessage } from '#web/api.ts'
import { sentence } from '#web/forms.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { ownZone, toInstant } from '#web/ui/lib/zoned-time.ts'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

const empty = {
  code: '',
  kind: 'percent',
  value: '',
  duration: 'once',
  months: '3',
  plans: [] as string[],
  maxUses: '',
  perUser: '1',
  startsAt: '',
  endsAt: '',
}
type Draft = typeof empty

const parseNumber = (text: string) => (text.trim() === '' ? undefined : Number(text))
/** The first and the last second of a day, as the browser's field has it, in the reader's zone. */
const toStart = (day: string) => toInstant(day, '00:00', ownZone())?.at.toISOString()
function toEnd(day: string): string | undefined {
  const minute = toInstant(day, '23:59', ownZone())?.at.getTime()
  return minute === undefined ? undefined : new Date(minute + 59_000).toISOString()
}

function toCouponBody(draft: Draft): InputOf<typeof coupons.create>['body'] {
  const value = parseNumber(draft.value)
  const given = {
    percentOff: draft.kind === 'percent' ? value : undefined,
    amountOff: draft.kind === 'amount' && value !== undefined ? Math.round(value * 100) : undefined,
    months: draft.duration === 'repeating' ? parseNumber(draft.months) : undefined,
    maxUses: parseNumber(draft.maxUses),
    perUser: parseNumber(draft.perUser),
    startsAt: toStart(draft.startsAt),
    endsAt: toEnd(draft.endsAt),
  }
  const kept = Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined))
  return { code: draft.code, duration: draft.duration, plans: draft.plans, ...kept } as never
}

/** A new coupon beside the table. What is wrong is said at its field. */
export function CreateCouponPanel({ onClose }: { onClose: () => void }) {
  const form = useId()
  const [draft, setDraft] = useState(empty)
  const queries = useQueryClient()
  const make = useMutation({
    mutationFn: () => api(coupons.create, { body: toCouponBody(draft) }),
    onSuccess: async ({ code }) => {
      toast.success(`Coupon ${code} created`)
      await queries.invalidateQueries({ queryKey: ['admin', 'coupons'] })
      onClose()
    },
  })
  const set = (change: Partial<Draft>) => setDraft((old) => ({ ...old, ...change }))
  const bind = (field: keyof Draft) => ({
    value: String(draft[field]),
    onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLSelectElement>) => set({ [field]: event.target.value }),
  })
  const details = make.error instanceof ApiError ? make.error.details : []
  const errorAt = (label: string, ...fields: string[]) =>
    sentence(label, details.find((detail) => fields.includes(detail.field ?? ''))?.message)
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title="Create coupon"
      description="Customers enter its code on their plan page."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={make.isPending}>
            Create coupon
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <FormBanner error={make.error && details.length === 0 ? errorMessage(make.error) : null} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Code" error={errorAt('Code', 'code')}>
            <Input {...bind('code')} autoComplete="off" spellCheck={false} placeholder="SPRING20" />
          </Field>
          <Field label="Discount">
            <Select {...bind('kind')}>
              <option value="percent">Percent</option>
              <option value="amount">Amount in US dollars</option>
            </Select>
          </Field>
          <Field
            label={draft.kind === 'percent' ? 'Percent' : 'Amount'}
            error={errorAt(draft.kind === 'percent' ? 'Percent' : 'Amount', 'percentOff', 'amountOff')}
          >
            <Input {...bind('value')} inputMode="decimal" />
          </Field>
          <Field label="Duration">
            <Select {...bind('duration')}>
              <option value="once">First payment</option>
              <option value="repeating">Several months</option>
              <option value="forever">Forever</option>
            </Select>
          </Field>
          {draft.duration === 'repeating' && (
            <Field label="Months" error={errorAt('Months', 'months')}>
              <Input {...bind('months')} inputMode="numeric" />
            </Field>
          )}
          <Field label="Maximum uses" optional error={errorAt('Maximum uses', 'maxUses')}>
            <Input {...bind('maxUses')} inputMode="numeric" placeholder="No limit" />
          </Field>
          <Field label="Uses per person" error={errorAt('Uses per person', 'perUser')}>
            <Input {...bind('perUser')} inputMode="numeric" />
          </Field>
          <Field label="From" optional error={errorAt('From', 'startsAt')}>
            <Input {...bind('startsAt')} type="date" />
          </Field>
          <Field label="Until" optional error={errorAt('Until', 'endsAt')}>
            <Input {...bind('endsAt')} type="date" />
          </Field>
        </div>
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium text-ink">
            Plans <span className="font-normal text-muted">(none selected: all paid plans)</span>
          </legend>
          <div className="flex flex-wrap gap-x-6 gap-y-2">
            {(['starter', 'pro', 'business'] as const).map((name) => (
              <Checkbox
                key={name}
                label={plans[name].title}
                checked={draft.plans.includes(name)}
                onChange={(event) =>
                  set({
                    plans: event.target.checked ? [...draft.plans, name] : draft.plans.filter((one) => one !== name),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
      </form>
    </SidePanel>
  )
}
