/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function offsetAt(zone: string, instant: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const get = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  return (
    Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second')) -
    Math.floor(instant / 1_000) * 1_000
  )
}

export interface ZonedInstant {
  at: Date
  /** `skipped`: clocks jump over that time, the time after is meant. `twice`: it comes twice, the first is meant. */
  kind: 'exact' | 'skipped' | 'twice'
}

/** The instant of a wall-clock time ("2026-11-21", "09:00") in an IANA zone; undefined while either is incomplete. */
export function toInstant(date: string, time: string, zone: string): ZonedInstant | undefined {
  const wall = Date.parse(`${date}T${time}:00Z`)
  if (Number.isNaN(wall)) return undefined
  const day = 86_400_000
  const before = offsetAt(zone, wall - day)
  const after = offsetAt(zone, wall + day)
  const fitting = [...new Set([wall - before, wall - after])]
    .filter((instant) => instant + offsetAt(zone, instant) === wall)
    .sort((a, b) => a - b)
  const first = fitting[0]
  if (first === undefined) return { at: new Date(wall - before), kind: 'skipped' }
  return { at: new Date(first), kind: fitting.length === 2 ? 'twice' : 'exact' }
}

/** "Saturday 21 November 2026, 09:00, Berlin time". */
export function instantInWords(at: Date, zone: string): string {
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
    .format(at)
    .replace(',', '')
  return `${day}, ${wallClock(at, zone).time}, ${zone === 'UTC' ? 'UTC' : `${formatZoneName(zone)} time`}`
}

/** "America/New_York" -> "New York". */
export function formatZoneName(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}

/** Every zone the browser knows, UTC first. */
export function timeZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
}

/** What clocks in a zone show at an instant, as fields of a form hold it: "2026-11-21", "09:00". */
export function wallClock(at: Date | number, zone: string): { date: string; time: string } {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(at)
  return { date, time }
}

/** The zone of the browser's clock. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

let chosenZone: string | undefined

/** The zone that the user chose for what they see and plan; null goes by the browser, as one it does not know does. */
export function setOwnZone(zone: string | null): void {
  try {
    chosenZone =
      zone === null ? undefined : new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    chosenZone = undefined
  }
}

/** The reader's own zone. */
export function ownZone(): string {
  return chosenZone ?? browserZone()
}

/** A format of times in the reader's own zone, whichever it is when it is used. */
export function zonedFormat(options: Intl.DateTimeFormatOptions): { format: (at: Date | number) => string } {
  const formats = new Map<string | undefined, Intl.DateTimeFormat>()
  return {
    format(at) {
      let format = formats.get(chosenZone)
      if (!format) {
        format = new Intl.DateTimeFormat('en-GB', { ...options, ...(chosenZone && { timeZone: chosenZone }) })
        formats.set(chosenZone, format)
      }
      return format.format(at)
    },
  }
}

const calendarDays = zonedFormat({ day: '2-digit', month: '2-digit', year: 'numeric' })

/** Whether both are on one day of the reader's calendar. */
export function isSameDay(one: Date, other: Date): boolean {
  return calendarDays.format(one) === calendarDays.format(other)
}

/** How long from now: "in 3 h 20 min", "in 2 days". */
export function fromNow(at: Date, now = Date.now()): string {
  const minutes = Math.round((at.getTime() - now) / 60_000)
  if (minutes < 0) return 'already past'
  if (minutes < 60) return `in ${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `in ${hours} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`
  return `in ${Math.round(hours / 24)} days`
}
