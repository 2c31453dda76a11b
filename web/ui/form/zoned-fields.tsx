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

/** One of the time zones of the IANA database. */
export function ZoneField({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  return (
    <Field label="Time zone">
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        {timeZones().map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </Select>
    </Field>
  )
}
