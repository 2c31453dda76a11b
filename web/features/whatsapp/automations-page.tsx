import { Card } from '#web/ui/card.tsx'
import { PeopleDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { NeedsNumber } from './needs-number.tsx'

export const meta = () => [{ title: 'WhatsApp automations · Postlark' }]

export default function AutomationsPage() {
  return (
    <>
      <PageHeader
        title="WhatsApp automations"
        description="Answers that go out by themselves, and hand over to a person when they should."
      />
      <NeedsNumber what="Automations answer what is written to a number of your own.">
        <Card flush>
          <EmptyState drawing={<PeopleDrawing />} title="This installation does not have it yet">
            Answers that go out by themselves, and hand over to a person when they should.
          </EmptyState>
        </Card>
      </NeedsNumber>
    </>
  )
}
