import type { Counts } from '#contracts/campaigns/campaign.ts'
import type { CampaignAverages } from '#contracts/campaigns/report/report.ts'
import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { formatNumber, formatShare, plural } from '#web/ui/lib/format.ts'
import { Figure, FigureGrid } from './figure.tsx'
import { countTried } from './labels.ts'
import type { PeopleLink } from './people/people-links.ts'

/** What the figures of an email campaign need of it. */
export interface EmailFacts {
  counts: Counts
  trackOpens: boolean
  trackClicks: boolean
}

interface EmailFiguresProps {
  facts: EmailFacts
  stats: CampaignStats
  averages: CampaignAverages | undefined
  /** What the averages are of; undefined where nothing is compared. */
  footnote: string | undefined
  people: PeopleLink
  /** Why bounces may be missing. */
  bounceHint: string
  /** Replies, on a channel that tells of them. */
  replied?: { value: string; note: string; average: number | null } | undefined
}

const NOTHING_YET = 'Nothing has been delivered yet.'

/** A rate as a figure: "-" while nothing can be said, "unknown" where it was not tracked. */
const rateFigure = (rate: number | null, isTracked: boolean, delivered: number) =>
  !isTracked ? 'unknown' : rate === null || delivered === 0 ? '-' : formatShare(rate)

/** Did it arrive, was it opened, was it clicked, and what did it cost: each beside the average of earlier campaigns. */
export function EmailFigures({ facts, stats, averages, footnote, people, bounceHint, replied }: EmailFiguresProps) {
  const { counts, trackOpens, trackClicks } = facts
  const { delivered, opens, clicks, rates, unsubscribes, bounces } = stats
  const tried = countTried(counts)
  const average = (rate: keyof CampaignAverages['rates']) => (footnote ? (averages?.rates[rate] ?? null) : undefined)
  const counted = (count: number, isTracked: boolean) => (isTracked ? plural(count, 'person', 'people') : 'not tracked')
  return (
    <FigureGrid footnote={footnote} columns={replied ? 7 : 6}>
      <Figure
        label="Accepted"
        value={tried === 0 ? '-' : formatShare(delivered / tried)}
        note={`${formatNumber(delivered)} of ${formatNumber(tried)}`}
        average={average('delivered')}
        hint="Accepted by the mail servers of your recipients. Whether an email reached the inbox is unknown."
        to={people?.({ state: 'sent' })}
      />
      <Figure
        label="Opened"
        value={rateFigure(rates.open, trackOpens, delivered)}
        note={counted(opens.unique, trackOpens)}
        average={average('open')}
        hint={
          delivered === 0
            ? NOTHING_YET
            : 'People who opened, of those accepted. Bots are excluded. Some opens can’t be detected.'
        }
        to={trackOpens ? people?.({ event: 'opened' }) : undefined}
      />
      <Figure
        label="Clicked"
        value={rateFigure(rates.click, trackClicks, delivered)}
        note={counted(clicks.unique, trackClicks)}
        average={average('click')}
        hint={delivered === 0 ? NOTHING_YET : 'People who clicked a link, of those accepted. Bots are excluded.'}
        to={trackClicks ? people?.({ event: 'clicked' }) : undefined}
      />
      <Figure
        label="Click-to-open"
        value={rateFigure(rates.clickToOpen, trackOpens && trackClicks, delivered)}
        note="of openers"
        average={average('clickToOpen')}
        hint={
          rates.clickToOpen === null && trackOpens && trackClicks
            ? 'No one has opened or clicked yet.'
            : 'People who clicked, of those who opened or clicked. Some people click without loading images.'
        }
        to={trackClicks ? people?.({ event: 'clicked' }) : undefined}
      />
      <Figure
        label="Unsubscribed"
        value={delivered === 0 ? '-' : formatShare(rates.unsubscribe)}
        note={plural(unsubscribes, 'person', 'people')}
        average={average('unsubscribe')}
        hint={delivered === 0 ? NOTHING_YET : 'People who unsubscribed with this email, of those accepted.'}
        to={people?.({ event: 'unsubscribed' })}
      />
      <Figure
        label="Bounced"
        value={tried === 0 ? '-' : formatShare(rates.bounce)}
        note={plural(bounces, 'address', 'addresses')}
        average={average('bounce')}
        hint={bounceHint}
        to={people?.({ event: 'bounced' })}
      />
      {replied && (
        <Figure
          label="Replied"
          value={replied.value}
          note={replied.note}
          average={footnote ? replied.average : undefined}
          to={replied.value === 'unknown' ? undefined : people?.({ event: 'replied' })}
        />
      )}
    </FigureGrid>
  )
}
