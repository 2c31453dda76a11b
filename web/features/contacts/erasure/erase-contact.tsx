import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Contact, contacts } from '#contracts/contacts/contacts.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

/** The button that erases a contact for good, with the question before it. */
export function EraseContact({ contact, onErased }: { contact: Contact; onErased: () => void }) {
  const queries = useQueryClient()
  const [asked, setAsked] = useState(false)
  const name = contact.email ?? contact.phone ?? contact.name
  return (
    <section className="mt-6 border-t pt-4">
      <h3 className="text-sm font-medium text-ink">Erase personal data</h3>
      <p className="mt-1 mb-3 text-sm text-muted">For a request under GDPR, article 17.</p>
      <Button size="sm" className="text-harm-text!" onClick={() => setAsked(true)}>
        Erase contact
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title={`Erase ${name}?`}
        action="Erase contact"
        onConfirm={async () => {
          await api(contacts.erase, { params: { id: contact.id } })
          await Promise.all(['contacts', 'lists'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
          toast.success('Contact erased')
          onErased()
        }}
      >
        The address and phone number are removed from your contacts, campaign reports, WhatsApp conversations, imports
        and scrapes. Totals stay as they are. Imports will skip this person. This cannot be undone.
      </ConfirmDialog>
    </section>
  )
}
