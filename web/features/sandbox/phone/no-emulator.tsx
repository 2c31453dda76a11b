import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { SandboxSection } from '../sandbox-section.tsx'

/** What stands where WhatsApp is real and nothing can be played. */
export function NoEmulator() {
  return (
    <SandboxSection>
      <Card flush>
        <EmptyState title="The WhatsApp sandbox is off">
          This server uses the real WhatsApp API. To use the emulator, start it without WHATSAPP_API_URL.
        </EmptyState>
      </Card>
    </SandboxSection>
  )
}
