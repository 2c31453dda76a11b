import { Link } from 'react-router'
import type { Activity } from '#contracts/dashboard/dashboard.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, formatShare } from '#web/ui/lib/format.ts'

const states = { sending: 'Sending', paused: 'Paused', sent: 'Sent', cancelled: 'Canceled', failed: 'Failed' } as const

/** The campaign that started last, with its result. */
export function LastCampaign({ last }: { last: NonNullable<Activity['last']> }) {
  const { sent, opened, clicked, replied, delivered } = last.figures
  // As the report has it: over WhatsApp of those delivered.
  const whole = delivered ?? sent
  const share = (part: number | null) => (part !== null && whole > 0 ? formatShare(part / whole) : undefined)
  const isWhatsApp = last.channel === 'whatsapp'
  const results = [
    { label: 'Sent', value: formatNumber(sent), share: undefined },
    { label: isWhatsApp ? 'Read' : 'Opened', value: formatNumber(opened), share: share(opened) },
    isWhatsApp
      ? { label: 'Replied', value: formatNumber(replied), share: share(replied) }
      : { label: 'Clicked', value: formatNumber(clicked), share: share(clicked) },
  ]
  return (
    <Card
      title="Last campaign"
      action={
        <ButtonLink size="sm" to={campaignLink(last)}>
          View report
        </ButtonLink>
      }
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to={campaignLink(last)}
          className="min-w-0 rounded-[3px] font-medium text-ink wrap-anywhere hover:underline"
        >
          {last.name}
        </Link>
        <Badge>{states[last.state]}</Badge>
      </p>
      <p className="text-sm text-muted">
        Started <TimeAgo at={last.startedAt} />
      </p>
      <dl className="mt-4 grid grid-cols-3 gap-3">
        {results.map((result) => (
          <div key={result.label} className="min-w-0">
            <dt className="text-sm text-muted">{result.label}</dt>
            <dd className="text-lg font-semibold text-ink tabular-nums">{result.value}</dd>
            {result.share && <dd className="text-sm text-muted tabular-nums">{result.share}</dd>}
          </div>
        ))}
      </dl>
    </Card>
  )
}
