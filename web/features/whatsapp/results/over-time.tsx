import type { WhatsAppStats } from '#contracts/whatsapp-stats.ts'
import { Card } from '#web/ui/card.tsx'
import { SeriesChart } from '#web/ui/chart/series-chart.tsx'
import { filled, type Step, stepInWords } from './period.ts'

const nothing = { sent: 0, delivered: 0, read: 0, failed: 0, received: 0, optedOut: 0 }

/** Messages over time by what became of them. `narrowed`: to a campaign or a template, which receive nothing themselves. */
export function OverTime({ stats, step, narrowed }: { stats: WhatsAppStats; step: Step; narrowed: boolean }) {
  const points = filled(stats.timeline, nothing, { since: stats.since, until: stats.until, step })
  return (
    <Card
      title="Over time"
      description={step === 'day' ? 'By the day a message was written, in UTC.' : 'By the hour a message was written.'}
    >
      <SeriesChart
        label="Messages over time"
        xLabel={step === 'day' ? 'Day' : 'Hour'}
        series={[
          { key: 'delivered', label: 'Delivered', meaning: 'delivered' },
          { key: 'read', label: 'Read', meaning: 'opens' },
          ...(narrowed ? [] : [{ key: 'received', label: 'Received', meaning: 'clicks' as const }]),
          { key: 'failed', label: 'Failed', meaning: 'bounces' },
        ]}
        tableOnly={[
          { key: 'sent', label: 'Sent' },
          { key: 'optedOut', label: 'Opted out' },
        ]}
        points={points.map(({ at, ...numbers }) => ({ x: at, ...numbers }))}
        formatX={stepInWords(step)}
      />
    </Card>
  )
}
