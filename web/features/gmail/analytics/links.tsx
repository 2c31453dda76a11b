import type { GmailAnalytics } from '#contracts/gmail/analytics.ts'
import { BarList } from '#web/ui/display/chart/bar-list.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'

/** Links by the emails in which people clicked them. */
export function Links({ links }: { links: GmailAnalytics['links'] }) {
  return (
    <Card title="Links" description="By emails in which people clicked them, most clicked first.">
      <BarList
        label="Links by emails"
        meaning="clicks"
        items={links.map((link) => ({
          label: link.url,
          value: link.emails,
          note: `${plural(link.human, 'click')}${link.machine > 0 ? `, plus ${formatNumber(link.machine)} by bots` : ''}`,
        }))}
      />
    </Card>
  )
}
