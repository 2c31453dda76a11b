import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatDay } from '#web/ui/lib/format.ts'
import { ConsentForm, type ConsentRecording } from './consent-form.tsx'
import { howWords, kindWords, lapseWords } from './labels.ts'
import { useConsents } from './queries.ts'

export interface ConsentContact {
  id: string
  name: string
  phone: string | null
  /** How WhatsApp knows a person who hides the number. */
  bsuid: string | null
}

/** Whether a contact may be written to on WhatsApp, by which consents, and where a new one is recorded. */
export function Consents({ contact, onRecord }: { contact: ConsentContact; onRecord: ConsentRecording }) {
  const consents = useConsents(contact.id)
  const [recording, setRecording] = useState(false)
  const items = consents.data?.items ?? []
  const reachable = (contact.phone ?? contact.bsuid) !== null
  return (
    <Card
      title="WhatsApp consent"
      action={
        reachable && (
          <Button size="sm" icon={<Plus aria-hidden="true" className="size-3.5" />} onClick={() => setRecording(true)}>
            Record consent
          </Button>
        )
      }
    >
      {consents.isPending && <Skeleton className="h-12" />}
      {consents.isError && <p className="text-sm text-harm-text">The consents could not be loaded.</p>}
      {consents.data && items.length === 0 && (
        <p className="text-sm text-muted">
          {reachable
            ? 'No consent recorded. WhatsApp campaigns skip this contact.'
            : 'Add a phone number to record consent.'}
        </p>
      )}
      <ul className="space-y-3">
        {items.map((consent) => (
          <li key={consent.id} className="text-sm">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="font-medium text-ink">{consent.purpose}</span>
              {consent.lapsed ? (
                <Badge tone="attention" shape="minus">
                  {lapseWords[consent.lapsed]}
                </Badge>
              ) : (
                <Badge tone="good" shape="check">
                  Active
                </Badge>
              )}
            </p>
            <p className="text-muted">
              {howWords[consent.how]}, {formatDay(consent.givenAt)} · {consent.phone || consent.bsuid} · recorded by{' '}
              {consent.recordedBy}
            </p>
            <p className="text-muted">
              {consent.covers
                ? `Covers ${consent.covers.map((kind) => kindWords[kind]).join(', ')}`
                : 'Covers all message categories, because it was recorded before categories existed'}
            </p>
            {consent.wording && <p className="mt-0.5 wrap-anywhere text-text">“{consent.wording}”</p>}
            {consent.evidence && <p className="mt-0.5 wrap-anywhere text-text">Proof: {consent.evidence}</p>}
          </li>
        ))}
      </ul>
      {recording && (
        <ConsentForm
          whose={contact.name || contact.phone || 'this contact'}
          action="Record consent"
          onSave={onRecord}
          onClose={() => setRecording(false)}
        />
      )}
    </Card>
  )
}
