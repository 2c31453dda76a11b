import { Card } from '#web/ui/card.tsx'
import { ChartDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { NeedsNumber } from './needs-number.tsx'

export const meta = () => [{ title: 'WhatsApp results · Postlark' }]

export default function ResultsPage() {
  return (
    <>
      <PageHeader title="WhatsApp results" description="What became of every message." />
      <NeedsNumber what="Results are counted from the first message on.">
        <Card flush>
          <EmptyState drawing={<ChartDrawing />} title="This installation does not have it yet">
            What became of every message.
          </EmptyState>
        </Card>
      </NeedsNumber>
    </>
  )
}
