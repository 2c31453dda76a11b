import { CircleAlert, FileX, Gauge, type LucideIcon, MessageCircle, PenLine, Plug, Waypoints } from 'lucide-react'
import { Link } from 'react-router'
import type { Activity } from '#contracts/dashboard/dashboard.ts'
import { campaignLink } from '#web/channel-pages.ts'
import type { useSubscription } from '#web/session/queries.ts'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatDay, formatNumber, plural } from '#web/ui/lib/format.ts'

interface AttentionRow {
  key: string
  icon: LucideIcon
  title: string
  detail: string
  to: string
  at?: string
}

/** A limit of the plan is near from this share on. */
const NEAR = 0.8

function toRow({ kind, id, name, channel, detail, at }: Activity['attention'][number]): AttentionRow {
  const key = `${kind} ${id}`
  switch (kind) {
    case 'draft':
      return {
        key,
        icon: PenLine,
        title: `Finish the draft ${name}`,
        detail: '',
        to: campaignLink({ id: id ?? '', channel: channel ?? 'email', state: 'draft' }),
        at,
      }
    case 'campaign':
      return {
        key,
        icon: CircleAlert,
        title: `Campaign stopped: ${name}`,
        detail,
        to: campaignLink({ id: id ?? '', channel: channel ?? 'email', state: 'failed' }),
        at,
      }
    case 'journey':
      return { key, icon: Waypoints, title: `Journey needs attention: ${name}`, detail, to: `/journeys/${id}` }
    case 'import':
      return { key, icon: FileX, title: `Import failed: ${name}`, detail, to: `/contacts/imports/${id}`, at }
    case 'sender':
      return { key, icon: Plug, title: `Sender not working: ${name}`, detail, to: '/senders' }
    case 'gmail':
      return { key, icon: Plug, title: `Gmail account not working: ${name}`, detail, to: '/gmail-sender/accounts' }
    case 'number':
      return { key, icon: Plug, title: `WhatsApp number not working: ${name}`, detail, to: '/whatsapp-sender/numbers' }
    case 'conversations':
      return {
        key,
        icon: MessageCircle,
        title: `${plural(Number(detail), 'unread conversation')}`,
        detail: '',
        to: '/whatsapp-sender/inbox',
        at,
      }
  }
}

function limitRows(status: ReturnType<typeof useSubscription>['data']): AttentionRow[] {
  if (!status) return []
  const { usage, limits, usageUntil } = status
  const rows: AttentionRow[] = []
  const add = (title: string, used: number, limit: number | null, detail: string) => {
    if (limit !== null && limit > 0 && used / limit >= NEAR)
      rows.push({
        key: title,
        icon: Gauge,
        title: `${title}: ${formatNumber(used)} of ${formatNumber(limit)} used`,
        detail,
        to: '/plan',
      })
  }
  add('Emails this month', usage.emails, limits.emails, `Resets ${formatDay(usageUntil)}`)
  add(
    'WhatsApp messages this month',
    usage.whatsappMessages,
    limits.whatsappMessages,
    `Resets ${formatDay(usageUntil)}`,
  )
  add('Contacts', usage.contacts, limits.contacts, 'Remove contacts or upgrade to add more.')
  return rows
}

interface AttentionProps {
  items: Activity['attention']
  subscription: ReturnType<typeof useSubscription>
}

/** What waits for the user, each a link. Nothing where nothing waits. */
export function Attention({ items, subscription }: AttentionProps) {
  const rows = [...limitRows(subscription.data), ...items.map(toRow)]
  if (rows.length === 0) return null
  return (
    <Card title="Needs your attention" flush>
      <ul className="divide-y border-t">
        {rows.map(({ key, icon: Icon, title, detail, to, at }) => (
          <li key={key}>
            <Link
              to={to}
              className="flex gap-3 px-5 py-3 transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
            >
              <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1">
                <span className="block text-base font-medium text-ink wrap-anywhere">{title}</span>
                {detail && <span className="block text-sm text-muted wrap-anywhere">{detail}</span>}
              </span>
              {at && <TimeAgo at={at} className="shrink-0 text-sm text-muted" />}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
