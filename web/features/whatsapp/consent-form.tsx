import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { whatsappOptIns } from '#contracts/whatsapp.ts'
import { checkedBy, errorOf, showRefusal } from '#web/forms.ts'
import { Banner, FormBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { plural } from '#web/ui/format.ts'
import { Input, Textarea } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toaster.tsx'
import { useConsentRecording } from './consent-queries.ts'
import { howWords } from './words.ts'

const { how, purpose, wording, evidence } = whatsappOptIns.create.body.shape
const Typed = z.object({ how, purpose, wording, evidence, day: z.string().min(1, 'is required') })
type Typed = z.input<typeof Typed>

interface ConsentFormProps {
  /** Whose consent it is: "Ada Lovelace", "12 contacts". */
  whose: string
  contactIds: string[]
  onClose: () => void
  onRecorded?: () => void
}

const today = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10)

/** The moment of a day: now for today, noon for one that is past, so that no zone makes it another day. */
const momentOf = (day: string) =>
  day >= today() ? new Date().toISOString() : new Date(`${day}T12:00:00`).toISOString()

/** Records that people agreed to be written to: how, when, for what. It cannot be changed afterwards. */
export function ConsentForm({ whose, contactIds, onClose, onRecorded }: ConsentFormProps) {
  const id = useId()
  const recording = useConsentRecording()
  const { register, handleSubmit, setError, formState } = useForm<Typed>({
    resolver: checkedBy(Typed),
    defaultValues: { how: 'form', purpose: '', wording: '', evidence: '', day: today() },
  })
  const { errors } = formState
  const submit = handleSubmit(async ({ day, ...proof }) => {
    try {
      const said = await recording.mutateAsync({ contactIds, ...proof, givenAt: momentOf(day) })
      sayRecorded(said)
      onRecorded?.()
      onClose()
    } catch (error) {
      showRefusal(setError, ['how', 'purpose', 'wording', 'evidence'], error)
    }
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Record the consent of ${whose}`}
      description="Meta asks for a consent before you write first. What you record stays as it is."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={id} busy={formState.isSubmitting}>
            {contactIds.length > 1 ? `Record for ${plural(contactIds.length, 'contact')}` : 'Record consent'}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={submit} className="space-y-4 pb-2">
        <FormBanner error={errors.root?.message} />
        <Banner tone="attention">
          Record only what people really agreed to. A number that was found, bought or imported is no consent.
        </Banner>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="How it was given" error={errorOf(errors, 'how', 'This')}>
            <Select {...register('how')}>
              {Object.entries(howWords).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="When" error={errorOf(errors, 'day', 'The day')}>
            <Input type="date" max={today()} {...register('day')} />
          </Field>
        </div>
        <Field
          label="For what"
          hint="Such as: news and offers of the bakery, at most twice a month."
          error={errorOf(errors, 'purpose', 'This')}
        >
          <Input autoComplete="off" {...register('purpose')} />
        </Field>
        <Field
          label="The words they agreed to"
          optional
          hint="As they stood on the form. They have to name your business."
          error={errorOf(errors, 'wording', 'The words')}
        >
          <Textarea {...register('wording')} />
        </Field>
        <Field
          label="Where the proof is"
          optional
          hint="An address, a file, an order number."
          error={errorOf(errors, 'evidence', 'The proof')}
        >
          <Input autoComplete="off" {...register('evidence')} />
        </Field>
      </form>
    </Dialog>
  )
}

function sayRecorded(said: { recorded: number; noPhone: number; optedOut: number; unknown: number }): void {
  const left = [
    said.noPhone > 0 && `${plural(said.noPhone, 'contact')} without a phone number`,
    said.optedOut > 0 && `${plural(said.optedOut, 'contact')} who opted out themselves`,
    said.unknown > 0 && `${plural(said.unknown, 'contact')} who are gone`,
  ].filter(Boolean)
  const rest = left.length > 0 ? ` Left out: ${left.join(', ')}.` : ''
  if (said.recorded === 0) toast.error(`Nothing was recorded.${rest}`)
  else toast.success(`Consent recorded for ${plural(said.recorded, 'contact')}.${rest}`)
}
