import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ServerDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useNumbers } from './queries.ts'

/**
 * Shows its children once a number is connected; until then, how to connect one. `what` is what cannot begin without;
 * `title` heads the page where only the children would.
 */
export function NeedsNumber({ what, title, children }: { what: string; title?: string; children: React.ReactNode }) {
  const numbers = useNumbers()
  if (numbers.isPending) return <Skeleton className="h-72 rounded-card" />
  if (!numbers.data)
    return (
      <Card flush>
        <ErrorState title="The numbers could not be loaded" error={numbers.error} onRetry={() => numbers.refetch()} />
      </Card>
    )
  if (numbers.data.items.length > 0) return children
  return (
    <>
      {title && <PageHeader title={title} />}
      <Card flush>
        {numbers.data.configured ? (
          <EmptyState
            drawing={<ServerDrawing />}
            title="Connect a WhatsApp number first"
            action={
              <ButtonLink kind="primary" to="/whatsapp-sender/numbers">
                Connect a number
              </ButtonLink>
            }
          >
            {what} Four values of your Meta app are needed; the page says where each one is.
          </EmptyState>
        ) : (
          <EmptyState drawing={<ServerDrawing />} title="This installation has no WhatsApp">
            Whoever runs it can turn it on with WHATSAPP_API_URL, the address of Meta's Cloud API.
          </EmptyState>
        )}
      </Card>
    </>
  )
}
