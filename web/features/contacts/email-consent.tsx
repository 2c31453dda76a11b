import type { Confirmation } from '#contracts/contacts/contacts.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import type { ContactProfile } from './queries.ts'

const sources: Record<Confirmation['source'], string> = {
  member: 'Added to the list by your workspace',
  blog: 'Signed up on the blog',
  form: 'Signed up with a form',
  preferences: 'Chosen on the preference page',
}

const states: Record<Confirmation['state'], { label: string; tone?: 'good' | 'attention' | 'harm' }> = {
  queued: { label: 'Queued' },
  sent: { label: 'Unconfirmed', tone: 'attention' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  expired: { label: 'Expired' },
  failed: { label: 'Not sent', tone: 'harm' },
}

/** How a contact agreed to double opt-in lists: what it read, when it confirmed and from where. Nothing where it was never asked. */
export function EmailConsent({ contact: { email, confirmations, agreements } }: { contact: ContactProfile }) {
  if (confirmations.length + agreements.length === 0) return null
  return (
    <Card title="Email consent">
      <ul className="space-y-4 pt-1 text-sm">
        {confirmations.map((one) => (
          <li key={one.id}>
            <ConfirmationEntry confirmation={one} address={email} />
          </li>
        ))}
        {agreements.map((one) => (
          <li key={one.importId + one.list.id} className="space-y-1">
            <Heading lists={one.list.name} badge={<Badge tone="good">Agreed before</Badge>} />
            <p className="wrap-anywhere text-text">“{one.evidence}”</p>
            <p className="wrap-anywhere text-muted">
              {one.recordedBy} said so when importing {one.fileName}, {formatMoment(one.at)}.
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Heading = ({ lists, badge }: { lists: string; badge: React.ReactNode }) => (
  <p className="flex flex-wrap items-center gap-2">
    <span className="wrap-anywhere text-base font-medium text-ink">{lists || 'Deleted list'}</span>
    {badge}
  </p>
)

const from = (ip: string | null) => (ip === null ? '' : ` from ${ip}`)

/** `address`: what the contact has now; a confirmation of another one says so. */
function ConfirmationEntry({ confirmation: one, address }: { confirmation: Confirmation; address: string | null }) {
  const { label, tone } = states[one.state]
  return (
    <div className="space-y-1">
      <Heading
        lists={one.lists.map(({ name }) => name).join(', ')}
        badge={<Badge {...(tone && { tone })}>{label}</Badge>}
      />
      <p className="text-muted">
        {one.form ? `Signed up with the form ${one.form.name}` : sources[one.source]}, {formatMoment(one.requestedAt)}
        {from(one.requestedIp)}.
      </p>
      {one.email.toLowerCase() !== address?.toLowerCase() && (
        <p className="wrap-anywhere text-muted">For {one.email}, the email address at that time.</p>
      )}
      {one.sentAt && (
        <p className="text-muted">
          Email sent {formatMoment(one.sentAt)}
          {one.emails > 1 && ', with a reminder'}.
        </p>
      )}
      {one.problem && <p className="wrap-anywhere text-muted">{one.problem}</p>}
      {one.confirmedAt && (
        <>
          <p className="text-text" title={one.confirmedUserAgent ?? undefined}>
            Confirmed {formatMoment(one.confirmedAt)}
            {from(one.confirmedIp)}.
          </p>
          <p className="wrap-anywhere text-text">“{one.wording}”</p>
        </>
      )}
    </div>
  )
}
