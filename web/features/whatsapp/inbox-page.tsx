import { Card } from '#web/ui/card.tsx'
import { PeopleDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { NeedsNumber } from './needs-number.tsx'

export const meta = () => [{ title: 'WhatsApp inbox · Postlark' }]

export default function InboxPage() {
  return (
    <>
      <PageHeader title="WhatsApp inbox" description="What people write to your numbers, and what you answer." />
      <NeedsNumber what="Answers come to a number of your own.">
        <Card flush>
          <EmptyState drawing={<PeopleDrawing />} title="This installation does not have it yet">
            What people write to your numbers, and what you answer.
          </EmptyState>
        </Card>
      </NeedsNumber>
    </>
  )
}
