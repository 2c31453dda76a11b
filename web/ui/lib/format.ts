import { isSameDay, zonedFormat } from './zoned-time.ts'

const numbers = new Intl.NumberFormat('en-US')
const shares = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const moments = zonedFormat({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const days = zonedFormat({ day: 'numeric', month: 'short', year: 'numeric' })

/** 4812 -> "4,812"; null is "unknown". */
export function formatNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? 'unknown' : numbers.format(value)
}

/** A share between 0 and 1 -> "17.6%"; null, which means nobody can know, is "unknown". */
export function formatShare(value: number | null | undefined): string {
  return value === null || value === undefined ? 'unknown' : `${shares.format(value * 100)}%`
}

/** The same of a rate, where null means that there is nothing to take a share of: "-". */
export const formatRate = (value: number | null): string => (value === null ? '-' : formatShare(value))

/** "1 contact", "2 contacts". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** An ISO time in the reader's zone: "21 Nov 2026, 04:52". */
export function formatMoment(iso: string | null | undefined): string {
  return iso ? moments.format(new Date(iso)) : '-'
}

/** An ISO time as a day: "21 Nov 2026". */
export function formatDay(iso: string | null | undefined): string {
  return iso ? days.format(new Date(iso)) : '-'
}

const utcDays = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A calendar day that is counted in UTC, "2026-11-21", as "21 Nov 2026" in every zone. */
export const formatUtcDay = (day: string): string => utcDays.format(new Date(day))

/** A stored day, "2026-11-21", as "21 Nov 2026"; any other text as it is. */
export const formatStoredDay = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? formatUtcDay(text) : text

const utcMonths = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A month, "2026-11", as "Nov 2026". */
export const formatUtcMonth = (month: string): string => utcMonths.format(new Date(`${month}-01`))

const clock = zonedFormat({ hour: '2-digit', minute: '2-digit' })
const shortDays = zonedFormat({ day: 'numeric', month: 'short' })

/** An ISO time as briefly as a list of messages needs it: "04:52" for today, "21 Nov" before. */
export function formatShortMoment(iso: string): string {
  const at = new Date(iso)
  return isSameDay(at, new Date()) ? clock.format(at) : shortDays.format(at)
}

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** A time that is past in words: "just now", "5 minutes ago", "yesterday"; after a week the day itself. */
export function formatAgo(iso: string | null | undefined, now = Date.now()): string {
  if (!iso) return '-'
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return ago.format(-minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return ago.format(-hours, 'hour')
  const passed = Math.floor(hours / 24)
  return passed < 7 ? ago.format(-passed, 'day') : formatDay(iso)
}

/** Seconds -> "about 2 min", "about 3 h 20 min"; null is "unknown". */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return 'unknown'
  if (seconds < 60) return `about ${Math.max(1, Math.round(seconds))} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `about ${minutes} min`
  const rest = minutes % 60
  return `about ${Math.floor(minutes / 60)} h${rest ? ` ${rest} min` : ''}`
}

/** Bytes -> "812 B", "1.4 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), 4)
  return `${shares.format(bytes / 1_000 ** power)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`
}

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' })

/** ISO 3166, two capital letters -> "Germany". */
export const countryName = (code: string): string => regions.of(code) ?? code
