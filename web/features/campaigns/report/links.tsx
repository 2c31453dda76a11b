import { Link } from 'react-router'
import type { CampaignEmail } from '#contracts/campaigns/report/report.ts'
import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { readableUrl } from './labels.ts'
import type { PeopleLink } from './people/people-links.ts'

const SHOWN = 50

interface LinksCardProps {
  stats: CampaignStats
  tracked: boolean
  /** What each link says. */
  labels: CampaignEmail['links'] | undefined
  people: PeopleLink
}

/** What was clicked, by the people who clicked it: the link's text above its address. */
export function LinksCard({ stats, tracked, labels, people }: LinksCardProps) {
  // By people, or by clicks where nobody knows of how many.
  const weigh = ({ unique, clicks }: CampaignStats['links'][number]) => unique ?? clicks
  const isTotal = stats.links.some(({ unique }) => unique === null)
  const links = stats.links.toSorted((a, b) => weigh(b) - weigh(a) || b.clicks - a.clicks).slice(0, SHOWN)
  const most = Math.max(1, links[0] ? weigh(links[0]) : 0)
  const names = new Map(labels?.map(({ link, label }) => [link, label]))
  return (
    <Card
      title="Links"
      description={
        isTotal
          ? 'Clicks on each link. Who clicked is unknown because only totals were tracked.'
          : 'People who clicked each link.'
      }
    >
      {!tracked ? (
        <p className="text-base text-muted">Unknown because click tracking was off.</p>
      ) : links.length === 0 ? (
        <p className="text-base text-muted">The email has no links to track.</p>
      ) : (
        <ul aria-label={isTotal ? 'Links by clicks' : 'Links by people who clicked'} className="-mx-2.5 space-y-1">
          {links.map((link) => (
            <LinkRow
              key={link.link}
              link={link}
              label={names.get(link.link) ?? ''}
              share={weigh(link) / most}
              to={link.unique ? people?.({ event: 'clicked', link: link.link }) : undefined}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}

function LinkRow({
  link,
  label,
  share,
  to,
}: {
  link: CampaignStats['links'][number]
  label: string
  share: number
  to: string | undefined
}) {
  const url = readableUrl(link.url)
  const body = (
    <>
      <span className="block truncate text-base text-ink">{label || url}</span>
      {label && <span className="block truncate text-sm text-muted">{url}</span>}
    </>
  )
  return (
    <li className="relative flex min-h-11 items-center justify-between gap-4 rounded-[4px] px-2.5 py-1.5">
      <span
        aria-hidden="true"
        className="absolute inset-y-0 left-0 rounded-[4px] bg-chart-clicks opacity-15"
        style={{ width: `${share * 100}%` }}
      />
      {to ? (
        <Link to={to} title={url} className="relative min-w-0 flex-1 rounded-control hover:underline">
          {body}
        </Link>
      ) : (
        <span title={url} className="relative min-w-0 flex-1">
          {body}
        </span>
      )}
      <span className="relative shrink-0 text-right tabular-nums">
        <span className="block text-base font-medium text-ink">
          {link.unique === null ? plural(link.clicks, 'click') : plural(link.unique, 'person', 'people')}
        </span>
        <span className="block text-sm text-text">
          {link.unique === null
            ? link.machine > 0 && `plus ${formatNumber(link.machine)} by bots`
            : `${plural(link.clicks, 'click')}${link.machine > 0 ? `, plus ${formatNumber(link.machine)} by bots` : ''}`}
        </span>
      </span>
    </li>
  )
}
