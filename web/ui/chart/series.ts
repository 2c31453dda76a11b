/** Colours have one meaning everywhere: opens and reads indigo, clicks and replies teal, machine traffic hatched grey, bounces and failures red, what only arrived blue. */
export type Meaning = 'opens' | 'clicks' | 'machine' | 'bounces' | 'delivered'

export interface Series {
  /** The field of each point that holds this curve's number. */
  key: string
  label: string
  meaning: Meaning
}

/** One place on the x axis: `x` (an ISO time or a name) and a number for each series. */
export type SeriesPoint = { x: string } & Record<string, number | string>
