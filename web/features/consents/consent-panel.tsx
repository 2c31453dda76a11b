import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { type ConsentContact, Consents } from './consents.tsx'

/** A contact's consents beside the conversation. */
export function ConsentPanel({ contact, onClose }: { contact: ConsentContact; onClose: () => void }) {
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title={contact.name}
      description={contact.phone ?? undefined}
    >
      <Consents contact={contact} />
    </SidePanel>
  )
}
