const QUARTER_MS = 900_000

/** Local day (2026-11-21) and hour (0 to 23) of a quarter of an hour since 1970, by the clocks of a zone. undefined: no such zone. */
export function createClock(timeZone: string): ((quarter: number) => { day: string; hour: number }) | undefined {
  let format: Intl.DateTimeFormat
  try {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' } as const
    // en-CA writes days as ISO 8601 does: "2026-11-21, 09".
    format = new Intl.DateTimeFormat('en-CA', { timeZone, ...parts })
  } catch {
    return undefined
  }
  return (quarter) => {
    const [day = '', hour] = format.format(quarter * QUARTER_MS).split(', ')
    return { day, hour: Number(hour) }
  }
}

/** The days from one to another, both among them. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}
