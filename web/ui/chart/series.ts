/** Colours have one meaning everywhere: opens indigo, clicks teal, machine traffic hatched grey, bounces red. */
export type Meaning = 'opens' | 'clicks' | 'machine' | 'bounces'

export interface Series {
  /** The field of each point that holds this curve's number. */
  key: string
  label: string
  meaning: Meaning
}

/** One place on the x axis: `x` (an ISO time or a name) and a number for each series. */
export type SeriesPoint = { x: string } & Record<string, number | string>
