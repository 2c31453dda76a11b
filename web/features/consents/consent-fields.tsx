import { useId } from 'react'
import { z } from 'zod'
import { ConsentProof } from '#contracts/whatsapp/consents.ts'
import { sentence } from '#web/forms.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { ownZone, toInstant, wallClock } from '#web/ui/lib/zoned-time.ts'
import { howWords } from './labels.ts'

const { how, purpose, covers, wording, evidence } = ConsentProof.shape
const Typed = z.object({ how, purpose, covers, wording, evidence, day: z.string().min(1, 'is required') })

/** A consent as it is typed: the day instead of the moment, and nothing chosen at first. */
export type TypedConsent = Omit<z.input<typeof Typed>, 'how'> & { how: z.input<typeof how> | '' }
type Errors = Partial<Record<keyof TypedConsent, string>>

const today = () => wallClock(Date.now(), ownZone()).date

/** The moment of a day: now for today, noon for one that is past, so that no zone makes it another day. */
const toMoment = (day: string) =>
  (day < today() && toInstant(day, '12:00', ownZone())?.at.toISOString()) || new Date().toISOString()

/** Nothing typed yet. */
export const noConsent = (): TypedConsent => ({ how: '', purpose: '', covers: [], wording: '', evidence: '', day: '' })

/** What was typed without errors, as it is recorded. */
export function toConsentProof(typed: TypedConsent): z.input<typeof ConsentProof> {
  const { day, ...proof } = Typed.parse(typed)
  return { ...proof, givenAt: toMoment(day) }
}

const labels: Record<keyof TypedConsent, string> = {
  how: 'This',
  purpose: 'This',
  covers: 'This',
  wording: 'The wording',
  evidence: 'The proof',
  day: 'The day',
}

/** What is missing or wrong, a sentence for each field; empty when it can be recorded. */
export function consentErrors(typed: TypedConsent): Errors {
  const read = Typed.safeParse(typed)
  if (read.success) return {}
  return Object.fromEntries(
    read.error.issues.map(({ path: [field], message }) => [
      field,
      field === 'how'
        ? 'Choose how consent was given.'
        : field === 'covers'
          ? 'Choose at least one kind of message.'
          : sentence(labels[field as keyof TypedConsent], message),
    ]),
  )
}

const kinds = [
  { value: 'marketing', label: 'Marketing', hint: 'News, offers, invitations.' },
  { value: 'utility', label: 'Utility', hint: 'About something they ordered or asked for.' },
  { value: 'authentication', label: 'Authentication', hint: 'Sign-in codes.' },
] as const

/** The kinds of templates a consent covers; nothing is ticked beforehand. */
function Covers({ typed, errors, onChange }: ConsentFieldsProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={errors.covers ? id : undefined}>
      <legend className="mb-1.5 text-sm font-medium text-ink">Messages covered</legend>
      <div className="grid gap-2">
        {kinds.map(({ value, label, hint }) => (
          <Checkbox
            key={value}
            label={label}
            hint={hint}
            checked={typed.covers.includes(value)}
            onChange={({ target }) =>
              onChange({
                covers: target.checked ? [...typed.covers, value] : typed.covers.filter((one) => one !== value),
              })
            }
          />
        ))}
      </div>
      {errors.covers && (
        <p id={id} role="alert" className="mt-1.5 text-sm text-harm-text">
          {errors.covers}
        </p>
      )}
    </fieldset>
  )
}

interface ConsentFieldsProps {
  typed: TypedConsent
  errors: Errors
  onChange: (change: Partial<TypedConsent>) => void
}

/** How a consent was given, when, for what, in which words, and where the proof is; with the warning that belongs to it. */
export function ConsentFields({ typed, errors, onChange }: ConsentFieldsProps) {
  return (
    <div className="space-y-4">
      <Banner tone="attention">
        Only record consent that people really gave. Finding, buying or importing a number is not consent.
      </Banner>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="How consent was given" error={errors.how}>
          <Select value={typed.how} onChange={(event) => onChange({ how: event.target.value as TypedConsent['how'] })}>
            <option value="">Choose an option</option>
            {Object.entries(howWords).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="When" error={errors.day}>
          <Input
            type="date"
            max={today()}
            value={typed.day}
            onChange={(event) => onChange({ day: event.target.value })}
          />
        </Field>
      </div>
      <Field
        label="Purpose"
        hint="For example: news and offers from the bakery, at most twice a month."
        error={errors.purpose}
      >
        <Input
          autoComplete="off"
          value={typed.purpose}
          onChange={(event) => onChange({ purpose: event.target.value })}
        />
      </Field>
      <Covers typed={typed} errors={errors} onChange={onChange} />
      <Field
        label="Consent wording"
        optional
        hint="As shown on the form. It must name your business."
        error={errors.wording}
      >
        <Textarea value={typed.wording} onChange={(event) => onChange({ wording: event.target.value })} />
      </Field>
      <Field label="Proof" optional hint="A URL, a file or an order number." error={errors.evidence}>
        <Input
          autoComplete="off"
          value={typed.evidence}
          onChange={(event) => onChange({ evidence: event.target.value })}
        />
      </Field>
    </div>
  )
}
