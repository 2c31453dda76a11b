import type { HealthLine, HealthState } from '#contracts/admin/admin.ts'

/** One line of `npm run doctor`. */
export interface Check {
  name: string
  state: 'ok' | 'warning' | 'problem'
  /** What was found, in a sentence. */
  text: string
  /** What to do; '' where there is nothing to do. */
  advice: string
}

export const ok = (name: string, text: string): Check => ({ name, state: 'ok', text, advice: '' })
export const warning = (name: string, text: string, advice: string): Check => ({ name, state: 'warning', text, advice })
export const problem = (name: string, text: string, advice: string): Check => ({ name, state: 'problem', text, advice })

// What cannot be known may be wrong, and is no reason to fail.
const STATES: Record<HealthState, Check['state']> = { ok: 'ok', warning: 'warning', unknown: 'warning', bad: 'problem' }

/** A line of the health of a running server, under another name where it stands alone here. */
export const toCheck = ({ name, state, text, advice }: HealthLine, as = name): Check => ({
  name: as,
  state: STATES[state],
  text,
  advice,
})
