import { timeZones } from '../lib/zoned-time.ts'
import { Field } from './field.tsx'
import { Input } from './input.tsx'
import { Select } from './select.tsx'

/** A wall-clock time in a zone: `2026-05-01`, `09:00`, `Europe/Berlin`. */
interface Zoned {
  date: string
  time: string
  zone: string
}

/** Date, time and zone side by side; on a phone under each other. */
export function ZonedFields({ value, onChange }: { value: Zoned; onChange: (change: Partial<Zoned>) => void }) {
  return (
    <div className="grid max-w-xl gap-3 sm:grid-cols-[10rem_8.5rem_minmax(0,1fr)]">
      <Field label="Date">
        <Input type="date" value={value.date} onChange={(event) => onChange({ date: event.target.value })} />
      </Field>
      <Field label="Time">
        <Input type="time" value={value.time} onChange={(event) => onChange({ time: event.target.value })} />
      </Field>
      <ZoneField value={value.zone} onChange={(zone) => onChange({ zone })} />
    </div>
  )
}

interface ZoneFieldProps {
  value: string
  onChange: (zone: string) => void
  hint?: React.ReactNode
  error?: string | undefined
  /** The label of a first choice without a zone, whose value is empty. */
  none?: string
  className?: string
}

/** One of the time zones of the IANA database; a browser may not list the one that is set. */
export function ZoneField({ value, onChange, none, ...field }: ZoneFieldProps) {
  return (
    <Field label="Time zone" {...field}>
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {[...new Set([...(value ? [value] : []), ...timeZones()])].map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </Select>
    </Field>
  )
}
