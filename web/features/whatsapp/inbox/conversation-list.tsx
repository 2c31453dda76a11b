import { BellOff } from 'lucide-react'
import type { Conversation } from '#contracts/whatsapp/inbox.ts'
import { ListRow } from '#web/ui/display/list-row.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatMoment, formatShortMoment } from '#web/ui/lib/format.ts'
import { isOpen } from './window-left.tsx'

interface ConversationListProps {
  conversations: Conversation[]
  selected: string | undefined
  buildHref: (id: string) => string
  /** Asked for when there is more. */
  onMore: (() => void) | undefined
}

/** Initials for a face we do not have. */
export function Initials({ name, className }: { name: string; className?: string }) {
  const initials = name
    .split(/\s+/)
    .map((word) => word.match(/\p{L}/u)?.[0] ?? '')
    .filter(Boolean)
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent-text',
        className,
      )}
    >
      {((initials[0] ?? '#') + (initials.length > 1 ? initials.at(-1) : '')).toUpperCase()}
    </span>
  )
}

/** Who wrote, what last, when, and how many were not read. */
export function ConversationList({ conversations, selected, buildHref, onMore }: ConversationListProps) {
  return (
    <>
      <ul aria-label="Conversations" className="divide-y">
        {conversations.map((conversation) => (
          <Row
            key={conversation.id}
            conversation={conversation}
            selected={conversation.id === selected}
            to={buildHref(conversation.id)}
          />
        ))}
      </ul>
      {onMore && (
        <div className="p-3 text-center">
          <Button size="sm" onClick={onMore}>
            Show older conversations
          </Button>
        </div>
      )}
    </>
  )
}

function Row({ conversation, selected, to }: { conversation: Conversation; selected: boolean; to: string }) {
  const { name, unread, preview, lastAt, assignedTo, optedOut, suppressed, windowEndsAt, state } = conversation
  const quiet = selected ? 'text-text' : 'text-muted'
  return (
    <ListRow to={to} selected={selected} height={68} className="flex items-start gap-3 px-4 py-3">
      <Initials name={name} className={selected ? 'bg-raised' : ''} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className={cx('truncate text-base text-ink', unread > 0 ? 'font-semibold' : 'font-medium')}>
            {name}
          </span>
          <time
            dateTime={lastAt}
            title={formatMoment(lastAt)}
            className={cx('shrink-0 text-xs tabular-nums', unread > 0 ? 'font-medium text-accent-text' : quiet)}
          >
            {formatShortMoment(lastAt)}
          </time>
        </span>
        <span className="flex items-center justify-between gap-2">
          <span className={cx('truncate text-sm', unread > 0 ? 'text-ink' : quiet)}>
            {preview || 'Message without text'}
          </span>
          {unread > 0 && (
            <span className="grid h-4.5 min-w-4.5 shrink-0 place-items-center rounded-full bg-accent px-1 text-xs font-semibold text-on-accent tabular-nums">
              <span className="sr-only">Unread: </span>
              {unread > 99 ? '99+' : unread}
            </span>
          )}
        </span>
        <span className={cx('flex flex-wrap items-center gap-x-2 text-xs', quiet)}>
          {(optedOut || suppressed) && (
            <span className="inline-flex items-center gap-1 text-harm-text">
              <BellOff aria-hidden="true" className="size-3" />
              {optedOut ? 'Opted out' : 'Suppressed'}
            </span>
          )}
          {state === 'closed' && <span>Closed</span>}
          {!isOpen(windowEndsAt, Date.now()) && <span>Template only</span>}
          {assignedTo && <span className="truncate">{assignedTo.name}</span>}
        </span>
      </span>
    </ListRow>
  )
}
