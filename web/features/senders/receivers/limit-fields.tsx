import type { UseFormReturn } from 'react-hook-form'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import type { SenderFields } from '../sender-form.ts'
import { labelReceiver } from './labels.ts'

/** Limits for each of the large operators, folded away unless there are some. */
export function ReceiverLimitFields({ form }: { form: UseFormReturn<SenderFields> }) {
  const { register, formState, getValues } = form
  const receivers = getValues('receivers')
  const isOpen = receivers.some(({ connections, perSecond, perHour }) => connections || perSecond || perHour)
  const errors = formState.errors.receivers
  return (
    <details className="group rounded-card border bg-page/60" open={isOpen || errors !== undefined || undefined}>
      <summary className="flex flex-wrap items-baseline gap-x-3 rounded-card px-4 py-3 text-base">
        <span className="font-medium text-ink group-open:before:content-['▾_'] before:text-muted before:content-['▸_']">
          Limits per receiver
        </span>
        <span className="text-muted">Google, Microsoft, Yahoo, Apple</span>
      </summary>
      <div className="space-y-4 px-4 pt-1 pb-4">
        <p className="text-sm text-muted">
          Also for companies that host their email there. Leave a field empty for no limit: when a receiver asks to slow
          down, Postlark halves the pace and raises it again step by step.
        </p>
        {receivers.map(({ receiver }, index) => {
          const problem = (field: 'perHour' | 'perSecond' | 'connections') => {
            const message = errors?.[index]?.[field]?.message
            return message && `The limit ${message}.`
          }
          return (
            <fieldset key={receiver}>
              <legend className="mb-1.5 text-base font-medium">{labelReceiver(receiver)}</legend>
              <div className="grid grid-cols-3 gap-3">
                <Field label="Per hour" error={problem('perHour')}>
                  <Input type="number" min={1} max={1000000} {...register(`receivers.${index}.perHour`)} />
                </Field>
                <Field label="Per second" error={problem('perSecond')}>
                  <Input type="number" min={0} max={1000} step="any" {...register(`receivers.${index}.perSecond`)} />
                </Field>
                <Field label="At once" error={problem('connections')}>
                  <Input type="number" min={1} max={50} {...register(`receivers.${index}.connections`)} />
                </Field>
              </div>
            </fieldset>
          )
        })}
      </div>
    </details>
  )
}
