import type { ContactStatus } from '#contracts/contacts/filter.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { statusLabels } from './labels.ts'

const looks = {
  subscribed: { tone: 'good', shape: 'check' },
  pending: { tone: 'neutral', shape: 'clock' },
  unsubscribed: { tone: 'neutral', shape: 'minus' },
  bounced: { tone: 'harm', shape: 'cross' },
  suppressed: { tone: 'attention', shape: 'minus' },
} as const

/** The status of a contact. */
export function StatusBadge({ status }: { status: ContactStatus }) {
  return <Badge {...looks[status]}>{statusLabels[status]}</Badge>
}
