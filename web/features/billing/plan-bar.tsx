import { ProgressBar } from '#web/ui/display/progress-bar.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'

interface PlanBarProps {
  label: string
  used: number | null
  /** null is without a limit. */
  limit: number | null
  /** One quiet sentence under the bar. */
  note?: string | undefined
}

/** One limit of a plan and how much of it is used. */
export function PlanBar({ label, used, limit, note }: PlanBarProps) {
  const share = limit && used !== null ? used / limit : 0
  return (
    <div>
      <p className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4 text-base">
        <span className="font-medium text-ink">{label}</span>
        <span className="text-muted tabular-nums">
          {formatNumber(used)} {limit === null ? 'used, no limit' : `of ${formatNumber(limit)} used`}
          {share >= 1 ? ' · used up' : share >= 0.8 ? ' · nearly used up' : ''}
        </span>
      </p>
      {limit !== null && (
        <ProgressBar
          label={label}
          total={limit}
          parts={[
            {
              label: 'used',
              value: Math.min(used ?? 0, limit),
              tone: share >= 1 ? 'harm' : share >= 0.8 ? 'attention' : 'accent',
            },
          ]}
        />
      )}
      {note && <p className="mt-1.5 text-sm text-muted">{note}</p>}
    </div>
  )
}
