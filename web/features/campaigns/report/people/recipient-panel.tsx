import type { z } from 'zod'
import type { CampaignMessage } from '#contracts/campaigns/campaign.ts'
import { BOUNCE_REASONS, labelMessageReason } from '#contracts/campaigns/report/reasons.ts'
import type { MessageEvent } from '#contracts/campaigns/stats.ts'
import { ServerWords } from '#web/features/senders/index.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { useChannel } from '../../channels/index.ts'
import { useMessageEvents } from '../../queries.ts'
import { MessageBadge } from '../../states.tsx'

type RecipientEvent = z.infer<typeof MessageEvent>

const words: Partial<Record<RecipientEvent['kind'], string>> = {
  queued: 'Queued',
  failed: 'Rejected permanently',
  deferred: 'Deferred',
  open: 'Opened',
  click: 'Clicked',
  unsubscribe: 'Unsubscribed',
  complaint: 'Reported as spam',
  bounce: 'Bounced',
  reply: 'Replied',
  view: 'Viewed in browser',
  delivered: 'Delivered',
  read: 'Read',
}

/** What happened, in the words of the badge: a message that its address refused is bounced. */
function titleEvent({ kind, reason }: RecipientEvent, taker: string): string {
  if (kind === 'failed' && BOUNCE_REASONS.includes(reason)) return 'Bounced'
  return words[kind] ?? `Accepted by ${taker}`
}

/** What happened to one recipient, first to last. */
export function RecipientPanel({
  campaignId,
  message,
  onClose,
}: {
  campaignId: string
  message: CampaignMessage
  onClose: () => void
}) {
  const { taker } = useChannel()
  const events = useMessageEvents(campaignId, message.id)
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title={message.address}
      description={message.name || undefined}
    >
      <div className="mb-5 space-y-2 text-base text-text">
        <div className="flex items-center gap-2">
          <MessageBadge state={message.state} reason={message.reason} />
          <span className="text-muted">{message.attempts === 1 ? '1 attempt' : `${message.attempts} attempts`}</span>
        </div>
        {message.reason && <p>{labelMessageReason(message.reason)}</p>}
        {message.response && (
          <p>
            <ServerWords text={message.response} />
          </p>
        )}
        {message.nextTryAt && <p>Next attempt: {formatMoment(message.nextTryAt)}.</p>}
      </div>
      {events.isPending && <SkeletonRows rows={3} />}
      {events.isError && (
        <ErrorState title="The activity could not be loaded" error={events.error} onRetry={() => events.refetch()} />
      )}
      {events.data?.items.length === 0 && <p className="text-base text-muted">No activity yet.</p>}
      <ol className="space-y-4 border-l pl-4">
        {events.data?.items.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events are only ever added at the end
          <li key={index} className="relative">
            <span
              aria-hidden="true"
              className="absolute top-1.5 -left-[1.33rem] size-2.5 rounded-full border-2 border-raised bg-accent"
            />
            <p className="flex flex-wrap items-center gap-2 text-base font-medium text-ink">
              {titleEvent(event, taker)}
              {event.class === 'machine' && <Badge>by a bot</Badge>}
            </p>
            <p className="text-sm text-muted">{formatMoment(event.at)}</p>
            {event.detail && <p className="text-sm wrap-anywhere text-text">{event.detail}</p>}
            {event.reason && <p className="text-sm wrap-anywhere text-muted">{labelMessageReason(event.reason)}</p>}
          </li>
        ))}
      </ol>
    </SidePanel>
  )
}
