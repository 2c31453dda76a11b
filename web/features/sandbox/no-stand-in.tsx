import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SandboxTabs } from './sandbox-tabs.tsx'

/** What stands where WhatsApp is real and nothing can be played. */
export function NoStandIn() {
  return (
    <>
      <SandboxTabs />
      <Card flush>
        <EmptyState title="WhatsApp is not played here">
          This installation speaks to Meta itself. Without WHATSAPP_API_URL a stand-in on this machine would play Meta.
        </EmptyState>
      </Card>
    </>
  )
}
