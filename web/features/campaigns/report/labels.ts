import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { formatNumber, formatShare, plural } from '#web/ui/lib/format.ts'

/** Did it work? The report's first line, in words; what nobody can know is said to be unknown. */
export function didItWork(
  campaign: Pick<Campaign, 'trackOpens' | 'trackClicks' | 'counts'>,
  stats: CampaignStats,
): string {
  if (stats.delivered === 0) {
    const refused = campaign.counts.failed + campaign.counts.bounced
    if (refused > 0) return `Nothing was delivered: ${plural(refused, 'email')} rejected.`
    return 'Nothing has been delivered yet.'
  }
  const delivered = `${plural(stats.delivered, 'email')} delivered`
  const opened = `${plural(stats.opens.unique, 'person', 'people')} opened`
  const clicked = formatNumber(stats.clicks.unique)
  if (!campaign.trackOpens && !campaign.trackClicks)
    return `${delivered}. Opens and clicks are unknown because tracking was off.`
  if (!campaign.trackOpens)
    return `${delivered}, ${plural(stats.clicks.unique, 'person', 'people')} clicked. Opens are unknown because open tracking was off.`
  if (!campaign.trackClicks) return `${delivered}, ${opened}. Clicks are unknown because click tracking was off.`
  if (stats.opens.unique === 0 && stats.clicks.unique === 0) return `${delivered}. No opens yet.`
  const share = stats.rates.clickToOpen
  if (share === null) return `${opened}, ${clicked} clicked.`
  // Who clicks without loading the image is not among the openers: then the share is of both.
  const allOpened = Math.abs(share * stats.opens.unique - stats.clicks.unique) < 0.5
  return `${opened}, ${clicked} clicked: ${formatShare(share)} of those who opened${allOpened ? '' : ' or clicked'}.`
}

/** In which mailboxes replies and bounces are seen; undefined where in all of them. */
export function seenIn({ reads }: Pick<Campaign, 'reads'>): string | undefined {
  if (reads === null) return 'after delivery: no mailbox is read'
  return { all: undefined, some: 'in accounts with mailbox access', none: 'mailbox access not allowed' }[reads]
}

/**
 * Emails that bounced after a mail server accepted them. Without a mailbox that is read nobody can know of any. What was
 * refused while it was sent is known, and counted as failed.
 */
export function bouncedFigure(
  campaign: Pick<Campaign, 'reads' | 'counts'>,
  { rates }: Pick<CampaignStats, 'rates'>,
): { value: string; note: string } {
  const { bounced } = campaign.counts
  const isUnknown = bounced === 0 && (campaign.reads === null || campaign.reads === 'none')
  return { value: formatNumber(isUnknown ? null : bounced), note: seenIn(campaign) ?? formatShare(rates.bounce) }
}

/** People who reported it as spam; unknown where no source reports complaints. */
export function complainedFigure({ complaints, rates }: Pick<CampaignStats, 'complaints' | 'rates'>): {
  value: string
  note: string
} {
  return {
    value: formatNumber(complaints),
    note: complaints === null ? 'no source reports complaints' : formatShare(rates.complaint),
  }
}
