import { useInfiniteQuery } from '@tanstack/react-query'
import {
  Bot,
  CircleAlert,
  Combine,
  Eye,
  FileSearch,
  type LucideIcon,
  Mail,
  MailCheck,
  MessageCircle,
  MousePointerClick,
  Pencil,
  Reply,
  Route,
  ShieldCheck,
  SlidersHorizontal,
  Tag,
  UserMinus,
  UserPlus,
  Users,
  Zap,
} from 'lucide-react'
import { Link } from 'react-router'
import { contactTimeline, type TimelineEntry, type TimelineKind } from '#contracts/contacts/timeline.ts'
import { api } from '#web/api.ts'
import { type ChannelId, campaignLink, channelPages } from '#web/channel-pages.ts'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { SourceLink } from '#web/ui/layout/source-link.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { useFindField } from '../queries.ts'
import { describeEntry } from './labels.ts'

const PAGE = 30

const icons: Record<TimelineKind, LucideIcon> = {
  added: UserPlus,
  edited: Pencil,
  merged: Combine,
  list_joined: Users,
  list_pending: Users,
  list_left: UserMinus,
  tagged: Tag,
  suppressed: UserMinus,
  found: FileSearch,
  consent: ShieldCheck,
  confirmed: MailCheck,
  preference: SlidersHorizontal,
  custom_event: Zap,
  journey_entered: Route,
  journey_left: Route,
  message: Mail,
  open: Eye,
  click: MousePointerClick,
  view: Eye,
  unsubscribe: UserMinus,
  complaint: CircleAlert,
  reply: Reply,
  bounce: CircleAlert,
  whatsapp_in: MessageCircle,
  whatsapp_out: MessageCircle,
}

const useTimeline = (contactId: string) =>
  useInfiniteQuery({
    queryKey: ['contacts', 'timeline', contactId],
    queryFn: ({ pageParam }) =>
      api(contactTimeline.show, {
        params: { id: contactId },
        query: { limit: PAGE, ...(pageParam && { cursor: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  })

/** What happened with a contact, newest first, a page at a time. */
export function Timeline({ contactId }: { contactId: string }) {
  const query = useTimeline(contactId)
  const entries = query.data?.pages.flatMap((page) => page.items)
  return (
    <Card title="Activity">
      {query.isPending && <SkeletonRows rows={6} />}
      {query.isError && !entries && (
        <ErrorState title="The activity could not be loaded" error={query.error} onRetry={() => query.refetch()} />
      )}
      {entries && (
        <ol className="relative">
          {entries.map((entry) => (
            <TimelineRow key={entry.key} entry={entry} />
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <Button size="sm" className="mt-2" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          Show older activity
        </Button>
      )}
    </Card>
  )
}

function TimelineRow({ entry }: { entry: TimelineEntry }) {
  const findField = useFindField()
  const { title, detail, lines = [] } = describeEntry(entry, (name) => findField(name)?.label ?? name)
  const Icon = entry.isBot ? Bot : icons[entry.kind]
  return (
    <li className="group relative flex gap-3 pb-4 last:pb-1">
      <span aria-hidden="true" className="absolute top-7 bottom-0 left-3.25 w-px bg-line group-last:hidden" />
      <span
        className={cx(
          'grid size-6.5 shrink-0 place-items-center rounded-full border bg-surface',
          entry.isBot ? 'text-muted' : 'text-text',
        )}
      >
        <Icon aria-hidden="true" className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1 pt-0.5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className={cx('min-w-0 text-base wrap-anywhere', entry.isBot ? 'text-muted' : 'text-ink')}>
            {title}
          </span>
          <TimeAgo at={entry.at} className="shrink-0 text-sm text-muted" />
        </p>
        {entry.campaign && <CampaignName campaign={entry.campaign} />}
        {entry.url && <SourceLink url={entry.url} title="" className="text-sm" />}
        {lines.map((line) => (
          <p key={line} className="text-sm text-text wrap-anywhere">
            {line}
          </p>
        ))}
        {detail && <p className="text-sm text-muted wrap-anywhere">{detail}</p>}
        {entry.visitor && (
          <p className="text-sm text-muted wrap-anywhere">
            {[entry.visitor.ip, entry.visitor.userAgent].filter(Boolean).join(' · ')}
          </p>
        )}
      </div>
    </li>
  )
}

const findChannel = (name: string) => (Object.keys(channelPages) as ChannelId[]).find((channel) => channel === name)

function CampaignName({ campaign }: { campaign: NonNullable<TimelineEntry['campaign']> }) {
  const { id, name } = campaign
  const channel = findChannel(campaign.channel)
  if (id === null || !channel)
    return <p className="text-sm text-muted wrap-anywhere">{id === null ? `${name} (removed)` : name}</p>
  return (
    <p className="text-sm wrap-anywhere">
      <Link
        to={campaignLink({ id, channel, state: 'sent' })}
        className="rounded-[3px] text-accent-text hover:underline"
      >
        {name}
      </Link>
    </p>
  )
}
