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
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(at)
  return `${day}, ${time}, ${zone === 'UTC' ? 'UTC' : `${formatZoneName(zone)} time`}`
}

/** "America/New_York" -> "New York". */
export function formatZoneName(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}

/** Every zone the browser knows, UTC first. */
export function timeZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
}

/** The reader's own zone. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
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
