import { Check, CheckCheck, CircleAlert, CircleHelp, Clock, Reply, StickyNote } from 'lucide-react'
import type { ChatMessage } from '#contracts/whatsapp/inbox.ts'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatMoment } from '#web/ui/lib/format.ts'
import { zonedFormat } from '#web/ui/lib/zoned-time.ts'
import { messageState } from '../labels.ts'
import { MessageMedia } from './message-media.tsx'
import { MessageText } from './message-text.tsx'

const clock = zonedFormat({ hour: '2-digit', minute: '2-digit' })

/** One message: theirs left, ours right with what became of it, a note across. */
export function MessageBubble({ conversationId, message }: { conversationId: string; message: ChatMessage }) {
  if (message.direction === 'note') return <Note message={message} />
  const ours = message.direction === 'out'
  const failed = message.status === 'failed'
  return (
    <li className={cx('flex flex-col', ours ? 'items-end' : 'items-start')}>
      <div
        className={cx(
          'max-w-[min(34rem,86%)] min-w-24 rounded-card border px-3 py-2',
          ours ? 'rounded-br-[3px] border-good/25 bg-good-soft' : 'rounded-bl-[3px] bg-raised',
          failed && 'border-harm/40 bg-harm-soft',
        )}
      >
        <span className="sr-only">{ours ? 'You: ' : 'Them: '}</span>
        <Label message={message} />
        <MessageMedia conversationId={conversationId} message={message} />
        {message.text && (
          <p className="text-base wrap-anywhere whitespace-pre-wrap text-ink [&_code]:font-mono [&_code]:text-sm">
            <MessageText text={message.text} />
          </p>
        )}
        {!message.text && !message.media && <p className="text-base text-muted italic">{withoutText(message)}</p>}
        <p className="mt-0.5 flex items-center justify-end gap-1 text-xs text-muted tabular-nums">
          <time dateTime={message.at} title={formatMoment(message.at)}>
            {clock.format(new Date(message.at))}
          </time>
          {ours && <Tick message={message} />}
        </p>
      </div>
      {message.buttons.length > 0 && (
        <ul aria-label="Buttons" className="mt-1 flex max-w-[min(34rem,86%)] flex-wrap justify-end gap-1">
          {message.buttons.map((button) => (
            <li key={button} className="rounded-control border bg-raised px-2.5 py-1 text-sm text-accent-text">
              {button}
            </li>
          ))}
        </ul>
      )}
      {ours && (failed || message.status === 'unconfirmed') && (
        <p
          className={cx(
            'mt-1 max-w-[min(34rem,86%)] text-right text-sm wrap-anywhere',
            failed ? 'text-harm-text' : 'text-attention-text',
          )}
        >
          {failed
            ? `Not delivered. ${message.error || 'Meta gave no reason.'}${message.errorCode ? ` (${message.errorCode})` : ''}`
            : messageState.unconfirmed}
        </p>
      )}
    </li>
  )
}

const withoutText = ({ kind }: ChatMessage): string => wordless[kind] ?? 'A message without text.'

const wordless: Partial<Record<ChatMessage['kind'], string>> = {
  unsupported: 'This message type is not available to businesses.',
  contacts: 'A contact card.',
  location: 'A location.',
  reaction: 'A reaction was removed.',
}

/** Where a message comes from, when it is not simply what somebody typed. */
function Label({ message }: { message: ChatMessage }) {
  const { author, templateName, kind } = message
  const words = [
    author.kind === 'automation' && `Automatic reply${author.name ? `: ${author.name}` : ''}`,
    author.kind === 'campaign' && 'Campaign',
    author.kind === 'app' && message.direction === 'out' && 'Automatic confirmation',
    templateName && `Template ${templateName}`,
    kind === 'button' && 'Tapped a button',
    message.direction === 'in' && kind === 'interactive' && 'Chose an option',
    kind === 'reaction' && 'Reacted',
  ].filter(Boolean)
  if (words.length === 0) return null
  return (
    <p className="mb-0.5 flex items-center gap-1 text-xs font-medium text-muted">
      {kind === 'button' && <Reply aria-hidden="true" className="size-3" />}
      {words.join(' · ')}
    </p>
  )
}

const ticks: Partial<Record<ChatMessage['status'], { icon: typeof Check; className: string }>> = {
  queued: { icon: Clock, className: 'text-muted' },
  accepted: { icon: Clock, className: 'text-muted' },
  sent: { icon: Check, className: 'text-muted' },
  delivered: { icon: CheckCheck, className: 'text-muted' },
  read: { icon: CheckCheck, className: 'text-accent-text' },
  failed: { icon: CircleAlert, className: 'text-harm-text' },
  unconfirmed: { icon: CircleHelp, className: 'text-attention-text' },
}

/** One tick sent, two delivered, two in color read; the word is there for everybody who cannot tell them apart. */
function Tick({ message }: { message: ChatMessage }) {
  const tick = ticks[message.status]
  if (!tick) return null
  const at = { sent: message.sentAt, delivered: message.deliveredAt, read: message.readAt }[message.status as 'read']
  const words = messageState[message.status] + (at ? ` ${formatMoment(at)}` : '')
  return (
    <span title={words} className={cx('inline-flex items-center gap-0.5', tick.className)}>
      <tick.icon aria-hidden="true" className="size-3.5" />
      <span className="sr-only">{messageState[message.status]}</span>
    </span>
  )
}

function Note({ message }: { message: ChatMessage }) {
  return (
    <li className="mx-auto w-full max-w-xl rounded-card border border-attention/40 bg-attention-soft px-3 py-2">
      <p className="flex items-center gap-1.5 text-xs font-medium text-attention-text">
        <StickyNote aria-hidden="true" className="size-3.5" />
        Note{message.author.name && ` by ${message.author.name}`}, visible only to your team
        <time dateTime={message.at} className="ml-auto font-normal tabular-nums">
          {clock.format(new Date(message.at))}
        </time>
      </p>
      <p className="mt-0.5 text-base wrap-anywhere whitespace-pre-wrap text-ink">{message.text}</p>
    </li>
  )
}
