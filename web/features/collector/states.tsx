import type { CollectorState } from '#contracts/collector/collector.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'

type StateLook = Pick<React.ComponentProps<typeof Badge>, 'tone' | 'shape'> & { word: string }

const looks: Record<CollectorState, StateLook> = {
  queued: { tone: 'accent', shape: 'clock', word: 'Queued' },
  running: { tone: 'accent', shape: 'running', word: 'Running' },
  paused: { tone: 'attention', shape: 'pause', word: 'Paused' },
  done: { tone: 'good', shape: 'check', word: 'Done' },
  stopped: { tone: 'neutral', shape: 'minus', word: 'Stopped' },
  failed: { tone: 'harm', shape: 'cross', word: 'Failed' },
}

/** The state of a crawl job. */
export function JobBadge({ state }: { state: CollectorState }) {
  const { word, ...look } = looks[state]
  return <Badge {...look}>{word}</Badge>
}
