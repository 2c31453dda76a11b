import type { CollectorState } from '#contracts/collector.ts'
import { Badge } from '#web/ui/badge.tsx'

type Look = Pick<React.ComponentProps<typeof Badge>, 'tone' | 'shape'> & { word: string }

const looks: Record<CollectorState, Look> = {
  queued: { tone: 'accent', shape: 'clock', word: 'waiting' },
  running: { tone: 'accent', shape: 'running', word: 'reading' },
  paused: { tone: 'attention', shape: 'pause', word: 'paused' },
  done: { tone: 'good', shape: 'check', word: 'done' },
  stopped: { tone: 'neutral', shape: 'minus', word: 'stopped' },
  failed: { tone: 'harm', shape: 'cross', word: 'failed' },
}

/** The state of a collection. */
export function JobBadge({ state }: { state: CollectorState }) {
  const { word, ...look } = looks[state]
  return <Badge {...look}>{word}</Badge>
}
