import type { GmailAnalytics, GmailFigures } from '#contracts/gmail-analytics.ts'
import { Card } from '#web/ui/card.tsx'
import { BarList } from '#web/ui/chart/bar-list.tsx'
import { formatNumber } from '#web/ui/format.ts'

/** Links by the letters in which people clicked them. */
export function Links({ links, totals }: { links: GmailAnalytics['links']; totals: GmailFigures }) {
  return (
    <Card title="Links" description="By letters in which people clicked them, the most clicked first.">
      {totals.counted === 0 ? (
        <p className="text-base text-muted">Unknown: clicks were not counted.</p>
      ) : links.length === 0 ? (
        <p className="text-base text-muted">No link was clicked yet.</p>
      ) : (
        <BarList
          label="Links by letters"
          meaning="clicks"
          items={links.map((link) => ({
            label: link.url,
            value: link.letters,
            note: `${formatNumber(link.human)} clicks${link.machine > 0 ? `, ${formatNumber(link.machine)} by machines` : ''}`,
          }))}
        />
      )}
    </Card>
  )
}
