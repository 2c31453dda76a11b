import type { Counts } from '#contracts/campaigns/campaign.ts'
import type { CampaignAverages } from '#contracts/campaigns/report/report.ts'
import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { formatMoment, formatNumber, formatShare, plural } from '#web/ui/lib/format.ts'
import { Figure, FigureGrid } from './figure.tsx'
import { countReached, countTried, type Tracked, whyUnknown } from './labels.ts'
import type { PeopleLink } from './people/people-links.ts'

/** What the figures of an email campaign need of it. */
export interface EmailFacts extends Tracked {
  counts: Counts
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

/** A rate as a figure: "-" while nothing can be said, "unknown" where nobody can know it. */
const rateFigure = (rate: number | null, isKnown: boolean, reached: number) =>
  !isKnown ? 'unknown' : rate === null || reached === 0 ? '-' : formatShare(rate)

/** Did it arrive, was it opened, was it clicked, and what did it cost: each beside the average of earlier campaigns. */
export function EmailFigures({ facts, stats, averages, footnote, people, bounceHint, replied }: EmailFiguresProps) {
  const { counts } = facts
  const [whyNoOpeners, whyNoClickers] = [whyUnknown(facts, 'opened'), whyUnknown(facts, 'clicked')]
  const [knowsOpeners, knowsClickers] = [!whyNoOpeners, !whyNoClickers]
  const { opens, clicks, rates, unsubscribes, bounces, observedSince } = stats
  const { reached, label } = countReached(counts, stats)
  const tried = countTried(counts)
  const average = (rate: keyof CampaignAverages['rates']) => (footnote ? (averages?.rates[rate] ?? null) : undefined)
  /** How many people, else how many requests of theirs. */
  const counted = ({ unique, human }: CampaignStats['opens'], isTracked: boolean, what: string) => {
    if (!isTracked) return 'not tracked'
    return unique === null ? plural(human, what) : plural(unique, 'person', 'people')
  }
  return (
    <FigureGrid footnote={footnote} columns={replied ? 7 : 6}>
      <Figure
        label={label}
        value={tried === 0 ? '-' : formatShare(reached / tried)}
        note={`${formatNumber(reached)} of ${formatNumber(tried)}`}
        average={average('delivered')}
        hint={
          observedSince === null
            ? 'Accepted by the mail servers of your recipients. Which of them bounced later is unknown.'
            : `Accepted by the mail servers of your recipients and not bounced since ${formatMoment(observedSince)}. Whether an email reached the inbox is unknown.`
        }
        to={people?.({ state: 'sent' })}
      />
      <Figure
        label="Opened"
        value={rateFigure(rates.open, knowsOpeners, reached)}
        note={counted(opens, facts.trackOpens, 'open')}
        average={average('open')}
        hint={
          whyNoOpeners
            ? `Who opened is unknown ${whyNoOpeners}.`
            : reached === 0
              ? NOTHING_YET
              : 'People who opened, of those accepted. Bots are excluded. Some opens can’t be detected.'
        }
        to={knowsOpeners ? people?.({ event: 'opened' }) : undefined}
      />
      <Figure
        label="Clicked"
        value={rateFigure(rates.click, knowsClickers, reached)}
        note={counted(clicks, facts.trackClicks, 'click')}
        average={average('click')}
        hint={
          whyNoClickers
            ? `Who clicked is unknown ${whyNoClickers}.`
            : reached === 0
              ? NOTHING_YET
              : 'People who clicked a link, of those accepted. Bots are excluded.'
        }
        to={knowsClickers ? people?.({ event: 'clicked' }) : undefined}
      />
      <Figure
        label="Click-to-open"
        value={rateFigure(rates.clickToOpen, knowsOpeners && knowsClickers, reached)}
        note="of openers"
        average={average('clickToOpen')}
        hint={
          rates.clickToOpen === null && knowsOpeners && knowsClickers
            ? 'No one has opened or clicked yet.'
            : 'People who clicked, of those who opened or clicked. Some people click without loading images.'
        }
        to={knowsClickers ? people?.({ event: 'clicked' }) : undefined}
      />
      <Figure
        label="Unsubscribed"
        value={reached === 0 ? '-' : formatShare(rates.unsubscribe)}
        note={plural(unsubscribes, 'person', 'people')}
        average={average('unsubscribe')}
        hint={reached === 0 ? NOTHING_YET : 'People who unsubscribed with this email, of those accepted.'}
        to={people?.({ event: 'unsubscribed' })}
      />
      <Figure
        label="Bounced"
        value={tried === 0 ? '-' : formatShare(rates.bounce)}
        note={bounces === null ? 'none rejected at once' : plural(bounces, 'address', 'addresses')}
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
