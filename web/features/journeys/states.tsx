import type { JourneyPerson, JourneyState } from '#contracts/journeys/journeys.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { personStates } from './labels.ts'

type Look = Pick<React.ComponentProps<typeof Badge>, 'tone' | 'shape'>

const looks: Record<JourneyState, Look & { word: string }> = {
  draft: { tone: 'neutral', shape: 'dashed', word: 'Draft' },
  active: { tone: 'good', shape: 'dot', word: 'Active' },
  paused: { tone: 'attention', shape: 'pause', word: 'Paused' },
  archived: { tone: 'neutral', shape: 'minus', word: 'Archived' },
}

const personLooks: Record<JourneyPerson['state'], Look> = {
  active: { tone: 'accent', shape: 'clock' },
  done: { tone: 'good', shape: 'check' },
  goal: { tone: 'good', shape: 'check' },
  exited: { tone: 'neutral', shape: 'minus' },
}

/** The states in the order people ask for them, in words. */
export const journeyStates = Object.entries(looks).map(([value, { word }]) => ({
  value: value as JourneyState,
  label: word,
}))

export function JourneyBadge({ state }: { state: JourneyState }) {
  const { word, ...look } = looks[state]
  return <Badge {...look}>{word}</Badge>
}

export const PersonBadge = ({ state }: { state: JourneyPerson['state'] }) => (
  <Badge {...personLooks[state]}>{personStates.find(({ value }) => value === state)?.label}</Badge>
)
