import { cx } from '#web/ui/lib/class-names.ts'
import { SAMPLE } from './campaign-sample.ts'
import './campaign-screen.css'

/**
 * The real campaign screen with sample data, sending: the bar and the numbers move by CSS alone, so it works without scripts
 * and stands still for visitors who asked for less motion.
 */
export function CampaignScreen() {
  return (
    <figure className="min-w-0">
      <div aria-hidden="true" className="campaign-screen rounded-dialog border bg-surface text-base shadow-dialog">
        <div className="flex items-center justify-between gap-4 border-b px-5 py-4">
          <div className="min-w-0">
            <p className="truncate font-semibold text-ink">{SAMPLE.name}</p>
            <p className="truncate text-sm text-muted">{SAMPLE.audience}</p>
          </div>
          <span className="inline-flex shrink-0 items-center gap-1.5 rounded-full border border-accent-line bg-accent-soft px-2.5 py-0.5 text-xs font-medium text-accent-text">
            <span className="live-dot size-1.5 rounded-full bg-current" />
            Sending
          </span>
        </div>
        <div className="px-5 pt-5">
          <div className="flex items-baseline justify-between gap-4">
            <p className="text-ink tabular-nums">
              <span className="sent-count text-xl font-semibold tracking-tight" />
              <span className="text-muted"> of 4,812 sent</span>
            </p>
            <p className="text-sm text-muted tabular-nums">62 a second</p>
          </div>
          <div className="mt-3 flex h-2.5 overflow-hidden rounded-full bg-line">
            <span className="sent-bar h-full bg-good" />
            <span className="failed-bar h-full bg-harm" />
          </div>
          <ul className="mt-2.5 flex flex-wrap gap-x-5 gap-y-1 text-sm">
            <Key className="bg-good" label="Sent" />
            <Key className="bg-harm" label="Failed" value="9" />
            <Key className="bg-line" label="Queued" />
          </ul>
        </div>
        <dl className="mt-5 grid grid-cols-3 border-y">
          {SAMPLE.figures.map((figure) => (
            <div key={figure.label} className="min-w-0 border-r px-3 py-3 last:border-r-0 sm:px-5">
              <dt className="text-xs text-muted sm:text-sm">{figure.label}</dt>
              <dd className="mt-0.5 text-lg font-semibold text-ink tabular-nums">{figure.value}</dd>
              <dd className="text-xs text-muted">{figure.note}</dd>
            </div>
          ))}
        </dl>
        <ol className="log-rows overflow-hidden">
          {SAMPLE.log.map((row, index) => (
            <li
              key={row.who}
              style={{ animationDelay: `${index * 450}ms` }}
              className="flex items-center gap-3 border-b px-5 py-2.5 last:border-0"
            >
              <span className={cx('size-1.5 shrink-0 rounded-full', row.dot)} />
              <span className="min-w-0 flex-1 truncate text-ink">{row.who}</span>
              <span className="shrink-0 text-sm text-muted">{row.what}</span>
            </li>
          ))}
        </ol>
      </div>
      <figcaption className="mt-3 text-center text-sm text-muted">A campaign while it sends. Sample data.</figcaption>
    </figure>
  )
}

function Key({ className, label, value }: { className: string; label: string; value?: string }) {
  return (
    <li className="flex items-center gap-1.5 text-text">
      <span className={cx('size-2.5 rounded-[3px]', className)} />
      {label}
      {value && <span className="font-medium text-ink tabular-nums">{value}</span>}
    </li>
  )
}
