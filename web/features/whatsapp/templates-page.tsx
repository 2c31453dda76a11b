import { Card } from '#web/ui/card.tsx'
import { LetterDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { NeedsNumber } from './needs-number.tsx'

export const meta = () => [{ title: 'WhatsApp templates · Postlark' }]

export default function TemplatesPage() {
  return (
    <>
      <PageHeader title="WhatsApp templates" description="Messages Meta has approved, with places for your values." />
      <NeedsNumber what="Templates belong to the business account of a number.">
        <Card flush>
          <EmptyState drawing={<LetterDrawing />} title="This installation does not have it yet">
            Messages Meta has approved, with places for your values.
          </EmptyState>
        </Card>
      </NeedsNumber>
    </>
  )
}
