import type { Campaign, Counts, Live } from '#contracts/campaigns/campaign.ts'
import { ProgressBar, type ProgressPart } from '#web/ui/display/progress-bar.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatDuration, formatMoment, formatNumber, plural } from '#web/ui/lib/format.ts'
import { fromNow, instantInWords, zonedFormat } from '#web/ui/lib/zoned-time.ts'
import { useChannel } from '../channels/index.ts'
import { endInWords, nextInWords } from '../forecast-labels.ts'
import type { LogLine } from './live.ts'

/** The counts as parts of one bar; parts that are zero and rare are skipped. */
export function toProgressParts(counts: Counts): ProgressPart[] {
  const parts: ProgressPart[] = [
    { label: 'Sent', value: counts.sent, tone: 'good' },
    { label: 'Failed', value: counts.failed, tone: 'harm' },
    { label: 'Bounced', value: counts.bounced, tone: 'harm' },
    { label: 'Unconfirmed', value: counts.unconfirmed, tone: 'attention' },
    { label: 'Suppressed', value: counts.suppressed, tone: 'accent' },
    { label: 'Queued', value: counts.queued + counts.deferred, tone: 'waiting' },
  ]
  return parts.filter((part) => part.value > 0 || ['Sent', 'Failed', 'Queued'].includes(part.label))
}

/** What the tab says: how far it is while it sends, then its name. */
export function tabTitle({ name, state, counts }: Pick<Campaign, 'name' | 'state' | 'counts'>): string {
  if (state === 'paused') return `Paused · ${name}`
  if (state !== 'sending' || counts.recipients === 0) return `${name} · Postlark`
  const done = counts.recipients - counts.queued - counts.deferred
  return `${Math.floor((done / counts.recipients) * 100)}% sent · ${name}`
}

/** A campaign that is on its way: one bar, the rate, the time left, a quiet log. */
export function LivePanel({ campaign, live, log }: { campaign: Campaign; live: Live | null; log: LogLine[] }) {
  const { counts, state } = campaign
  const { taker } = useChannel()
  if (state === 'scheduled') return <Scheduled campaign={campaign} />
  if (isPreparing(campaign)) return <Preparing campaign={campaign} />
  // Stopped before anybody was a recipient: there is no progress to show.
  if (counts.recipients === 0 && campaign.stateText)
    return <Banner tone={state === 'failed' ? 'harm' : 'info'}>{campaign.stateText}</Banner>
  return (
    <Card>
      {campaign.stateText && (
        <Banner tone={state === 'paused' ? 'attention' : 'info'} className="mb-4">
          {campaign.stateText}
        </Banner>
      )}
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="text-md font-semibold text-ink tabular-nums">
          {formatNumber(counts.sent)} of {formatNumber(counts.recipients)} sent
        </p>
        <p className="text-base text-text tabular-nums">
          {state === 'paused' ? 'Paused. Nothing is lost.' : paceWords(campaign, live, taker)}
        </p>
      </div>
      <ProgressBar label="Progress" parts={toProgressParts(counts)} total={counts.recipients} legend />
      {campaign.forecast && endInWords(campaign.forecast, remainingMessages(counts)) && (
        <p className="mt-3 text-base text-text">{endInWords(campaign.forecast, remainingMessages(counts))}</p>
      )}
      {counts.deferred > 0 && (
        <p className="mt-3 text-sm text-muted">
          {plural(counts.deferred, 'queued message was', 'queued messages were')} deferred by {taker} and will be
          retried automatically.
        </p>
      )}
      <Log lines={log} />
    </Card>
  )
}

/** Whether its recipients are still being added: they are counted once all are. */
export const isPreparing = ({ state, counts }: Pick<Campaign, 'state' | 'counts'>): boolean =>
  (state === 'sending' || state === 'paused') && counts.recipients === 0

function Preparing({ campaign: { state, stateText } }: { campaign: Campaign }) {
  return (
    <Card>
      {stateText && (
        <Banner tone={state === 'paused' ? 'attention' : 'info'} className="mb-4">
          {stateText}
        </Banner>
      )}
      <p className="text-md font-semibold text-ink">Preparing recipients</p>
      <p className="mt-1 text-base text-text">
        {state === 'paused'
          ? 'Paused. Nothing is sent until you resume.'
          : 'Sending starts once all recipients are added. You can close this page.'}
      </p>
    </Card>
  )
}

const remainingMessages = ({ queued, deferred }: Counts) => queued + deferred

/** How fast it goes, or what it waits for. */
function paceWords({ forecast, counts }: Campaign, live: Live | null, taker: string): string {
  const moving = live !== null && live.perSecond > 0
  const next = forecast && nextInWords(forecast, remainingMessages(counts))
  if (next && !moving) return next
  if (!live) return 'Loading progress…'
  if (!moving) return forecast ? 'Sending next in a moment' : `Waiting for ${taker}. Time left unknown.`
  const { perSecond } = live
  const rate =
    perSecond < 1
      ? `${Math.max(1, Math.round(perSecond * 60))} a minute`
      : `${perSecond < 10 ? perSecond.toFixed(1) : formatNumber(Math.round(perSecond))} a second`
  // Hours and limits of the day stretch the time; then its end is told in a sentence of its own.
  if (forecast && endInWords(forecast, remainingMessages(counts))) return rate
  return `${rate}, ${live.secondsLeft === null ? 'time left unknown' : `${formatDuration(live.secondsLeft)} left`}`
}

function Scheduled({ campaign }: { campaign: Campaign }) {
  if (!campaign.scheduledAt) return null
  const at = new Date(campaign.scheduledAt)
  return (
    <Card>
      <p className="text-md text-ink">
        Scheduled for <strong>{instantInWords(at, campaign.timeZone ?? 'UTC')}</strong>, {fromNow(at)}.
      </p>
      <p className="mt-1 text-base text-muted">
        In your time zone, that is {formatMoment(campaign.scheduledAt)}. It is sent to everyone in its lists and
        segments at that time.
      </p>
    </Card>
  )
}

const clock = zonedFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' })

function Log({ lines }: { lines: LogLine[] }) {
  return (
    <details className="mt-4 text-sm">
      <summary className="w-fit rounded-control font-medium text-muted hover:text-ink">Log</summary>
      {lines.length === 0 ? (
        <p className="mt-2 text-muted">No activity since you opened this page.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <ol tabIndex={0} aria-label="Log" className="mt-2 max-h-48 space-y-0.5 overflow-y-auto font-mono text-text">
          {[...lines].reverse().map((line) => (
            <li key={`${line.at.getTime()} ${line.text}`}>
              <time className="mr-3 text-muted">{clock.format(line.at)}</time>
              {line.text}
            </li>
          ))}
        </ol>
      )}
    </details>
  )
}
