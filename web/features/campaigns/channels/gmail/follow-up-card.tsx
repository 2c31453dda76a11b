import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type followUps, longestWaitMinutes } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import type { Input as InputOf } from '#contracts/endpoint.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'
import { isEmptyFollowUp, toHtml, toShortText } from './short-text.ts'

const units = { minutes: 1, hours: 60, days: 24 * 60 }
type Unit = keyof typeof units
const chooseUnit = (minutes: number): Unit =>
  minutes % units.days === 0 ? 'days' : minutes % units.hours === 0 ? 'hours' : 'minutes'

export type FollowUpDraft = InputOf<typeof followUps.save>['body']['items'][number]

interface FollowUpCardProps {
  number: number
  item: FollowUpDraft
  templates: { id: string; name: string }[]
  onChange: (part: Partial<FollowUpDraft>) => void
  onRemove: () => void
}

/** One follow-up: when, what, and what stops it. */
export function FollowUpCard({ number, item, templates, onChange, onRemove }: FollowUpCardProps) {
  return (
    <li className="space-y-4 rounded-card border bg-surface p-4 sm:p-5">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-base font-semibold">
          Follow-up {number}
          {isEmptyFollowUp(item) && <span className="ml-2 text-sm font-normal text-attention-text">No text yet</span>}
        </h3>
        <IconButton size="sm" label={`Remove follow-up ${number}`} onClick={onRemove}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      </div>
      <Wait number={number} minutes={item.afterMinutes} onChange={(afterMinutes) => onChange({ afterMinutes })} />
      <Field label="Email" hint="The subject is the thread’s subject with “Re:” in front.">
        <Select
          value={item.templateId ?? ''}
          // Its own text would be taken before a template.
          onChange={(event) =>
            onChange({ templateId: event.target.value || null, ...(event.target.value && { html: '' }) })
          }
        >
          <option value="">Write a short text</option>
          {templates.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {item.templateId === null && <OwnText html={item.html ?? ''} onChange={(html) => onChange({ html })} />}
      <fieldset className="space-y-2.5">
        <legend className="mb-1.5 text-sm font-medium text-ink">Stop for people who</legend>
        <Checkbox
          label="replied"
          checked={item.stopOnReply ?? true}
          onChange={(event) => onChange({ stopOnReply: event.target.checked })}
        />
        <Checkbox
          label="clicked a link"
          checked={item.stopOnClick ?? false}
          onChange={(event) => onChange({ stopOnClick: event.target.checked })}
        />
        <p className="text-sm text-muted">People who unsubscribed or bounced never get another follow-up.</p>
      </fieldset>
    </li>
  )
}

/** What is typed and is no time yet stays on the screen with its reason, and is not saved. */
function Wait({ number, minutes, onChange }: { number: number; minutes: number; onChange: (minutes: number) => void }) {
  const [unit, setUnit] = useState<Unit>(() => chooseUnit(minutes))
  const [amount, setAmount] = useState(() => String(minutes / units[chooseUnit(minutes)]))
  const total = (text: string, by: Unit) => Number(text) * units[by]
  const isTime = (value: number) => Number.isInteger(value) && value >= 1 && value <= longestWaitMinutes
  function change(text: string, by: Unit) {
    setAmount(text)
    setUnit(by)
    if (isTime(total(text, by))) onChange(total(text, by))
  }
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] items-start gap-3">
      <Field label="Wait" error={isTime(total(amount, unit)) ? undefined : 'A whole number, up to 90 days.'}>
        <Input
          inputMode="numeric"
          autoComplete="off"
          value={amount}
          onChange={(event) => change(event.target.value, unit)}
        />
      </Field>
      <Field label={`after ${number === 1 ? 'the first email' : `follow-up ${number - 1}`}`}>
        <Select value={unit} onChange={(event) => change(amount, event.target.value as Unit)}>
          {Object.keys(units).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </Field>
    </div>
  )
}

/**
 * A few lines; HTML that is more than lines stays HTML. Saved a moment after the typing rests, and when the field or the page
 * is left.
 */
function OwnText({ html, onChange }: { html: string; onChange: (html: string) => void }) {
  const [isCode] = useState(() => toShortText(html) === undefined)
  const [text, setText] = useState(() => toShortText(html) ?? html)
  const rested = useDebounced(text, 700)
  const kept = useRef(html)
  /** Returns whether there was something to save. */
  const keep = (typed: string) => {
    const next = isCode ? typed : toHtml(typed)
    if (next === kept.current) return false
    kept.current = next
    onChange(next)
    return true
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only that the typing rests is a reason to keep it
  useEffect(() => void keep(rested), [rested])
  // The browser's Back and a closed tab leave the field without a blur.
  const keepLatest = useRef<() => boolean>(() => false)
  keepLatest.current = () => keep(text)
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (keepLatest.current()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => {
      removeEventListener('beforeunload', warn)
      keepLatest.current()
    }
  }, [])
  return (
    <Field
      label={isCode ? 'HTML' : 'Text'}
      hint={
        isCode
          ? undefined
          : 'Leave an empty line to start a new paragraph. You can use merge fields: {{ name | default: "there" }}.'
      }
    >
      <Textarea
        code={isCode}
        rows={isCode ? 10 : 5}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => keep(text)}
      />
    </Field>
  )
}
