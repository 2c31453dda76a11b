import type { Dashboard } from '#contracts/dashboard/dashboard.ts'
import { Stat } from '#web/ui/display/stat.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { formatNumber, formatShare } from '#web/ui/lib/format.ts'

/** "12.5% of those sent"; nothing where there is nothing to compare. */
function describeShare(part: number | null, sent: number): string {
  if (part === null) return 'Not tracked'
  return sent === 0 ? 'Nothing sent yet' : `${formatShare(part / sent)} of sent emails`
}

/** What happened in the last 30 days: sent, opened, clicked, found. `scrapers`: whether the plan has them. */
export function MonthStats({ figures, scrapers }: { figures: Dashboard | undefined; scrapers: boolean }) {
  return (
    <section aria-labelledby="month">
      <h2 id="month" className="mb-3 text-base font-semibold">
        Last 30 days
      </h2>
      <div className="grid grid-cols-2 gap-3 wide:grid-cols-4">
        {figures ? (
          <>
            <Stat label="Sent" value={formatNumber(figures.sent)} note="Accepted for delivery" to="/mail-dash" />
            <Stat
              label="Opened by people"
              value={formatNumber(figures.opened)}
              note={describeShare(figures.opened, figures.sent)}
              to="/mail-dash"
            />
            <Stat
              label="Clicked by people"
              value={formatNumber(figures.clicked)}
              note={describeShare(figures.clicked, figures.sent)}
              to="/mail-dash"
            />
            <Stat
              label="Leads found"
              value={formatNumber(figures.found)}
              note="Emails and phone numbers"
              {...(scrapers && { to: '/email-scraper' })}
            />
          </>
        ) : (
          ['sent', 'opened', 'clicked', 'found'].map((name) => <Skeleton key={name} className="h-26.5 rounded-card" />)
        )}
      </div>
    </section>
  )
}
