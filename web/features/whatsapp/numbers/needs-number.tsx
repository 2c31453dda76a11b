import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { ServerDrawing } from '#web/ui/theme/drawings.tsx'
import { useNumbers } from './queries.ts'
import { SandboxNumberButton } from './sandbox-number.tsx'

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
              <span className="flex flex-wrap justify-center gap-2">
                {numbers.data.sandbox && <SandboxNumberButton kind="primary" />}
                <ButtonLink kind={numbers.data.sandbox ? 'secondary' : 'primary'} to="/whatsapp-sender/numbers">
                  Connect number
                </ButtonLink>
              </span>
            }
          >
            {what}{' '}
            {numbers.data.sandbox
              ? 'In sandbox mode you can start with a test number. No real messages are sent.'
              : 'You need four values from your Meta app. The next page shows where to find them.'}
          </EmptyState>
        ) : (
          <EmptyState drawing={<ServerDrawing />} title="WhatsApp is not set up on this server">
            Your administrator can turn it on by setting WHATSAPP_API_URL to the address of Meta’s Cloud API.
          </EmptyState>
        )}
      </Card>
    </>
  )
}
