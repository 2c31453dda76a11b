/** Colors have one meaning everywhere: opens and reads indigo, clicks and replies teal, machine traffic hatched gray, bounces and failures red, what only arrived blue. */
export type Meaning = 'opens' | 'clicks' | 'machine' | 'bounces' | 'delivered' | Line

/** Several of the same thing side by side: a color and a dash for each, so that color alone never tells them apart. */
export const lines = ['line-1', 'line-2', 'line-3', 'line-4', 'line-5', 'line-6'] as const
type Line = (typeof lines)[number]

const dashes: Partial<Record<Meaning, string>> = {
  machine: '3 3',
  'line-2': '7 3',
  'line-3': '2 3',
  'line-4': '9 3 2 3',
  'line-5': '4 2',
  'line-6': '12 4',
}

/** The dash of a curve as SVG writes it; undefined: an unbroken line. */
export const findDash = (meaning: Meaning): string | undefined => dashes[meaning]

/** Whether it is one of several lines of the same thing, which lie over each other and are not filled. */
export const isLine = (meaning: Meaning): boolean => meaning.startsWith('line-')

export interface Series {
  /** The field of each point that holds this curve's number. */
  key: string
  label: string
  meaning: Meaning
}

/** One place on the x axis: `x` (an ISO time or a name) and a number for each series; a series without one has not come so far yet. */
export type SeriesPoint = { x: string } & Record<string, number | string>
