import { Plus, Trash2 } from 'lucide-react'
import { type UseFormReturn, useFieldArray } from 'react-hook-form'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { findProvider } from '../providers.ts'
import { MAX_RECEIVERS, noLimits, type SenderFields } from '../sender-form.ts'
import { isOperator, labelReceiver, recommendedLimits } from './labels.ts'

type Form = { form: UseFormReturn<SenderFields> }

/** Limits for each of the large operators and for domains, folded away unless there are some. */
export function ReceiverLimitFields({ form }: Form) {
  const { formState, getValues, control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'receivers' })
  const isOpen = getValues('receivers').some(
    ({ connections, perSecond, perHour }) => connections || perSecond || perHour,
  )
  const errors = formState.errors.receivers
  return (
    <details className="group rounded-card border bg-page/60" open={isOpen || errors !== undefined || undefined}>
      <summary className="flex flex-wrap items-baseline gap-x-3 rounded-card px-4 py-3 text-base">
        <span className="font-medium text-ink group-open:before:content-['▾_'] before:text-muted before:content-['▸_']">
          Limits per receiver
        </span>
        <span className="text-muted">Google, Microsoft, Yahoo, Apple, domains</span>
      </summary>
      <div className="space-y-4 px-4 pt-1 pb-4">
        <p className="text-sm text-muted">
          Also for companies that host their email there. Leave a field empty for no limit: when a receiver asks to slow
          down, Postlark halves the pace and raises it again step by step.
        </p>
        <Recommended form={form} />
        {fields.map(({ id, receiver }, index) =>
          isOperator(receiver) ? (
            <fieldset key={id}>
              <legend className="mb-1.5 text-base font-medium">{labelReceiver(receiver)}</legend>
              <Numbers form={form} index={index} />
            </fieldset>
          ) : (
            <DomainLimit key={id} form={form} index={index} onRemove={() => remove(index)} />
          ),
        )}
        {fields.length < MAX_RECEIVERS && (
          <Button
            size="sm"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => append({ receiver: '', ...noLimits })}
          >
            Add domain
          </Button>
        )}
      </div>
    </details>
  )
}

/** A careful pace for a server that nobody paces: services queue by themselves. */
function Recommended({ form: { setValue, getValues, watch } }: Form) {
  const provider = findProvider(watch('host'))
  if (provider)
    return (
      <p className="text-sm text-muted">
        {provider.name} sends to each receiver at a pace of its own, so limits are rarely needed here.
      </p>
    )
  const { connections, perSecond } = recommendedLimits
  function apply() {
    for (const [index, { receiver }] of getValues('receivers').entries())
      if (isOperator(receiver))
        setValue(`receivers.${index}`, { receiver, ...recommendedLimits }, { shouldDirty: true, shouldValidate: true })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button size="sm" onClick={apply}>
        Use recommended limits
      </Button>
      <p className="min-w-0 flex-1 basis-56 text-sm text-muted">
        For your own mail server: {connections} connections and {perSecond} email a second for each operator.
      </p>
    </div>
  )
}

function DomainLimit({ form, index, onRemove }: Form & { index: number; onRemove: () => void }) {
  const problem = form.formState.errors.receivers?.[index]?.receiver?.message
  return (
    <fieldset>
      <legend className="sr-only">Domain</legend>
      <div className="mb-2 flex items-start gap-2">
        <Field label="Domain" className="min-w-0 flex-1" error={problem && `The domain ${problem}.`}>
          <Input
            autoComplete="off"
            spellCheck={false}
            placeholder="example.com"
            {...form.register(`receivers.${index}.receiver`)}
          />
        </Field>
        <IconButton label="Remove domain" className="mt-6.5" onClick={onRemove}>
          <Trash2 aria-hidden="true" className="size-4" />
        </IconButton>
      </div>
      <Numbers form={form} index={index} />
    </fieldset>
  )
}

function Numbers({ form: { register, formState }, index }: Form & { index: number }) {
  const problem = (field: 'perHour' | 'perSecond' | 'connections') => {
    const message = formState.errors.receivers?.[index]?.[field]?.message
    return message && `The limit ${message}.`
  }
  return (
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
  )
}
