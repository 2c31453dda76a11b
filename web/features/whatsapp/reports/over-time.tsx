import type { WhatsAppStats } from '#contracts/whatsapp/reports.ts'
import { SeriesChart } from '#web/ui/display/chart/series-chart.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { type Step, stepInWords, zoneInWords } from './period.ts'

/** Messages over time by what became of them. `narrowed`: to a campaign or a template, which receive nothing themselves. */
export function OverTime({ stats, step, narrowed }: { stats: WhatsAppStats; step: Step; narrowed: boolean }) {
  return (
    <Card title="Over time" description={`By ${step} of the message, ${zoneInWords()}.`}>
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
        points={stats.timeline.map(({ at, ...numbers }) => ({ x: at, ...numbers }))}
        formatX={stepInWords(step)}
      />
    </Card>
  )
}
