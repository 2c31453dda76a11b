import { formatAgo, formatMoment } from '#web/ui/lib/format.ts'

/** A past time in words ("5 minutes ago"), with the exact one on hover; "-" without a time. */
export function TimeAgo({ at, className }: { at: string | null | undefined; className?: string }) {
  if (!at) return <span className={className}>-</span>
  return (
    <time dateTime={at} title={formatMoment(at)} className={className}>
      {formatAgo(at)}
    </time>
  )
}
