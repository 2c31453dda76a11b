const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How far back the figures go; the address keeps the key. */
export const periods = {
  '1': { label: 'Last 24 hours', days: 1 },
  '7': { label: 'Last 7 days', days: 7 },
  '30': { label: 'Last 30 days', days: 30 },
  '90': { label: 'Last 90 days', days: 90 },
  '365': { label: 'Last 12 months', days: 365 },
} as const
export type Period = keyof typeof periods
export type Step = 'hour' | 'day'

/** The period an address asks for; 30 days where it asks for none we have. */
export const periodOf = (asked: string | null): Period =>
  asked !== null && asked in periods ? (asked as Period) : '30'

/** From when, and in which steps: whole hours for a day, whole days in UTC otherwise, as the server counts them. */
export function rangeOf(period: Period, now = Date.now()): { since: string; step: Step } {
  const { days } = periods[period]
  const [step, length] = days === 1 ? (['hour', HOUR] as const) : (['day', DAY] as const)
  const last = Math.floor(now / length) * length
  const steps = days === 1 ? 24 : days
  return { since: new Date(last - (steps - 1) * length).toISOString(), step }
}

/** Every step of a period in order; those in which nothing happened are zeros, because the server leaves them out. */
export function filled<Row extends { at: string }>(
  rows: Row[],
  empty: Omit<Row, 'at'>,
  { since, until, step }: { since: string; until: string; step: Step },
): Row[] {
  const length = step === 'hour' ? HOUR : DAY
  const known = new Map(rows.map((row) => [Date.parse(row.at), row]))
  const all: Row[] = []
  for (let at = Math.floor(Date.parse(since) / length) * length; at < Date.parse(until); at += length)
    all.push(known.get(at) ?? ({ ...empty, at: new Date(at).toISOString() } as Row))
  return all
}

const utcDays = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const hours = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' })

/** A step as the chart writes it: "14 Nov" (days are UTC's), or "Sat 14:00" in the reader's zone. */
export const stepInWords = (step: Step) => (at: string) => (step === 'day' ? utcDays : hours).format(new Date(at))
