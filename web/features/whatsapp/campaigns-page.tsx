import { Card } from '#web/ui/card.tsx'
import { FlightDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { NeedsNumber } from './needs-number.tsx'

export const meta = () => [{ title: 'WhatsApp campaigns · Postlark' }]

export default function CampaignsPage() {
  return (
    <>
      <PageHeader title="WhatsApp campaigns" description="Approved templates to people who agreed to hear from you." />
      <NeedsNumber what="Campaigns leave from a number of your own.">
        <Card flush>
          <EmptyState drawing={<FlightDrawing />} title="This installation does not have it yet">
            Approved templates to people who agreed to hear from you.
          </EmptyState>
        </Card>
      </NeedsNumber>
    </>
  )
}
