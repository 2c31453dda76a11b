import type { Campaign, CampaignMessage, Counts, MessageState } from '#contracts/campaigns/campaign.ts'
import { BOUNCE_REASONS } from '#contracts/campaigns/report/reasons.ts'
import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { formatNumber, formatShare, plural } from '#web/ui/lib/format.ts'

/** How opens and clicks of a campaign were tracked. */
export type Tracked = Pick<Campaign, 'trackOpens' | 'trackClicks' | 'trackingMode'>

/** Why it is unknown who opened or clicked; undefined: that is known. */
export function whyUnknown(
  { trackOpens, trackClicks, trackingMode }: Tracked,
  event: 'opened' | 'clicked',
): string | undefined {
  if (!(event === 'opened' ? trackOpens : trackClicks))
    return `because ${event === 'opened' ? 'open' : 'click'} tracking was off`
  return trackingMode === 'aggregate' ? 'because only totals were tracked' : undefined
}

/** Opens and clicks of all together, in words. */
function describeTotals({ trackOpens, trackClicks }: Tracked, { opens, clicks }: CampaignStats): string {
  const totals = [trackOpens && plural(opens.human, 'open'), trackClicks && plural(clicks.human, 'click')]
  return `${totals.filter(Boolean).join(' and ')} by people. Who they were is unknown because only totals were tracked.`
}

/** Did it work? The report's first line, in words; what nobody can know is said to be unknown. */
export function didItWork(campaign: Tracked & Pick<Campaign, 'counts'>, stats: CampaignStats): string {
  const { reached, word } = countReached(campaign.counts, stats)
  if (reached === 0) {
    const refused = campaign.counts.failed + campaign.counts.bounced
    if (refused > 0) return `Nothing was delivered: ${plural(refused, 'email')} rejected.`
    return 'Nothing has been delivered yet.'
  }
  const delivered = `${plural(reached, 'email')} ${word}`
  const [openers, clickers] = [stats.opens.unique ?? 0, stats.clicks.unique ?? 0]
  const opened = `${plural(openers, 'person', 'people')} opened`
  const clicked = formatNumber(clickers)
  if (!campaign.trackOpens && !campaign.trackClicks)
    return `${delivered}. Opens and clicks are unknown because tracking was off.`
  if (campaign.trackingMode === 'aggregate') return `${delivered}. ${describeTotals(campaign, stats)}`
  if (!campaign.trackOpens)
    return `${delivered}, ${plural(clickers, 'person', 'people')} clicked. Opens are unknown because open tracking was off.`
  if (!campaign.trackClicks) return `${delivered}, ${opened}. Clicks are unknown because click tracking was off.`
  if (openers === 0 && clickers === 0) return `${delivered}. No opens yet.`
  const share = stats.rates.clickToOpen
  if (share === null) return `${opened}, ${clicked} clicked.`
  // Who clicks without loading the image is not among the openers: then the share is of both.
  const allOpened = Math.abs(share * openers - clickers) < 0.5
  return `${opened}, ${clicked} clicked: ${formatShare(share)} of those who opened${allOpened ? '' : ' or clicked'}.`
}

/**
 * Emails that arrived as far as anybody can know: delivered where later bounces are told of, else accepted by mail servers. Of the
 * counts: they are newer than the statistics while a campaign sends, and a share needs both of its numbers from one moment.
 */
export function countReached({ sent, bounced }: Counts, { delivered }: Pick<CampaignStats, 'delivered'>) {
  return delivered === null
    ? { reached: sent + bounced, word: 'accepted', label: 'Accepted' }
    : { reached: sent, word: 'delivered', label: 'Delivered' }
}

/** In which mailboxes replies and bounces are seen; undefined where in all of them. */
export function seenIn({ reads }: Pick<Campaign, 'reads'>): string | undefined {
  if (reads === null) return undefined
  return { all: undefined, some: 'in accounts with mailbox access', none: 'mailbox access not allowed' }[reads]
}

/**
 * Emails that bounced after a mail server accepted them. Without a bounce source or a mailbox that is read nobody can know of any.
 * What was refused while it was sent is known, and counted as failed.
 */
export function bouncedFigure(
  campaign: Pick<Campaign, 'reads' | 'counts'>,
  { delivered }: Pick<CampaignStats, 'delivered'>,
): { value: number | null; note: string } {
  const { sent, bounced } = campaign.counts
  const accepted = sent + bounced
  const isUnknown = delivered === null
  const note =
    seenIn(campaign) ?? (isUnknown ? 'no bounce source' : formatShare(accepted === 0 ? 0 : bounced / accepted))
  return { value: isUnknown && bounced === 0 ? null : bounced, note }
}

/** People who reported it as spam; unknown where no source reports complaints. */
export function complainedFigure({ complaints, rates }: Pick<CampaignStats, 'complaints' | 'rates'>): {
  value: number | null
  note: string
} {
  return {
    value: complaints,
    note: complaints === null ? 'no source reports complaints' : formatShare(rates.complaint),
  }
}

/** Messages that were tried: all but those that are queued or skipped. */
export const countTried = ({ recipients, queued, suppressed }: Counts): number => recipients - queued - suppressed

/** The state of a message as people read it: one that its address refused at once is bounced, as the figures count it. */
export const shownState = ({ state, reason }: Pick<CampaignMessage, 'state' | 'reason'>): MessageState =>
  state === 'failed' && BOUNCE_REASONS.includes(reason) ? 'bounced' : state

/** The one figure people look for first: the open rate, else the click rate, else how much was accepted. */
export function answerFigure(
  { counts, ...tracked }: Tracked & Pick<Campaign, 'counts'>,
  stats: Pick<CampaignStats, 'delivered' | 'rates'>,
): { label: string; value: string } {
  const { rates } = stats
  const { reached, label } = countReached(counts, stats)
  const shown = (rate: number | null) => (rate === null || reached === 0 ? '-' : formatShare(rate))
  if (!whyUnknown(tracked, 'opened')) return { label: 'Open rate', value: shown(rates.open) }
  if (!whyUnknown(tracked, 'clicked')) return { label: 'Click rate', value: shown(rates.click) }
  const tried = countTried(counts)
  return { label, value: tried === 0 ? '-' : formatShare(reached / tried) }
}

/** What the averages beside the figures are of; undefined while that is not known. */
export function describeAverages(
  campaigns: number | undefined,
  channel: 'email' | 'Gmail' | 'WhatsApp',
): string | undefined {
  if (campaigns === undefined) return undefined
  if (campaigns === 0) return `No earlier ${channel} campaigns to compare with.`
  return campaigns === 1
    ? `Compared with your previous ${channel} campaign.`
    : `Averages of your previous ${formatNumber(campaigns)} ${channel} campaigns.`
}

/** Why some bounces may be missing from a figure. */
export function bounceHint(
  { reads }: Pick<Campaign, 'reads'>,
  { delivered }: Pick<CampaignStats, 'delivered'>,
): string {
  const refused = 'Addresses that were rejected for good.'
  if (reads === 'all' || (reads === null && delivered !== null)) return refused
  if (reads === null) return `${refused} Bounces that arrive later are unknown because there is no bounce source.`
  return reads === 'some'
    ? `${refused} Bounces that arrive later are only known for accounts with mailbox access.`
    : `${refused} Bounces that arrive later are unknown because no mailbox is read.`
}

/** A text as people read it: with "…" where each recipient has something else. */
export const readableText = (text: string): string => text.replace(/\{\{.*?\}\}|\{%.*?%\}/gs, '…')

/** A link as people read it: without its scheme, and with "…" where each recipient has something else. */
export function readableUrl(url: string): string {
  const plain = readableText(url).replace(/^https?:\/\/(www\.)?/i, '')
  return /^[^/?#]+\/$/.test(plain) ? plain.slice(0, -1) : plain
}

/** One line of what became of the messages; null is unknown. */
export interface DeliveryRow {
  label: string
  value: number | null
  note?: React.ReactNode
  /** The state of the messages it counts. */
  state?: string
}

interface DeliveryWords {
  accepted: string
  failed: string
  later: DeliveryRow[]
}

/** No message of it is sent any more. */
const isStopped = ({ state }: Pick<Campaign, 'state'>) => state === 'cancelled' || state === 'failed'

/** What became of every message, the good first. */
export function deliveryRows(
  campaign: Pick<Campaign, 'counts' | 'state'>,
  { accepted, failed, later }: DeliveryWords,
): DeliveryRow[] {
  const { counts } = campaign
  const stopped = isStopped(campaign) && { note: 'will not be sent' }
  const rows: DeliveryRow[] = [
    { label: accepted, value: counts.sent, state: 'sent' },
    { label: 'Queued', value: counts.queued, ...stopped, state: 'queued' },
    { label: 'Deferred', value: counts.deferred, note: 'retried automatically', ...stopped, state: 'deferred' },
    { label: 'Failed', value: counts.failed, note: failed, state: 'failed' },
    { label: 'Unconfirmed', value: counts.unconfirmed, note: 'no reply to the handover', state: 'unconfirmed' },
    { label: 'Suppressed', value: counts.suppressed, note: 'skipped', state: 'suppressed' },
  ]
  return [
    ...rows.filter(({ label, value }) => value !== 0 || !['Queued', 'Deferred', 'Unconfirmed'].includes(label)),
    ...later,
  ]
}

/** The delivery in a few words: "All 800 accepted", "12 of 800 not delivered", "All 500 accepted, 300 will not be sent". */
export function deliverySummary(campaign: Pick<Campaign, 'counts' | 'state'>): string {
  const { counts } = campaign
  const unsentCount = isStopped(campaign) ? counts.queued + counts.deferred : 0
  const tried = countTried(counts) - (isStopped(campaign) ? counts.deferred : 0)
  const unsent = unsentCount > 0 ? [`${formatNumber(unsentCount)} will not be sent`] : []
  if (tried === 0) return unsent[0] ?? 'Nothing sent yet'
  return [describeTried(counts, tried, isStopped(campaign)), ...unsent].join(', ')
}

function describeTried({ failed, bounced, unconfirmed, deferred }: Counts, tried: number, isOver: boolean): string {
  const [missing, unknown] = [failed + bounced, unconfirmed]
  const all = formatNumber(tried)
  if (missing > 0)
    return `${formatNumber(missing)} of ${all} not delivered${unknown > 0 ? `, ${formatNumber(unknown)} unconfirmed` : ''}`
  if (unknown > 0) return `${formatNumber(unknown)} of ${all} unconfirmed`
  return deferred > 0 && !isOver ? `${formatNumber(deferred)} deferred` : `All ${all} accepted`
}
