import { useEffect, useRef } from 'react'
import type { SandboxMail } from '#contracts/sandbox/sandbox.ts'
import { ListRow } from '#web/ui/display/list-row.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatMoment, formatShortMoment } from '#web/ui/lib/format.ts'
import { parseFrom } from './labels.ts'

interface MailListProps {
  mails: SandboxMail[]
  selected: string | undefined
  /** Came while the page was open and were not opened yet. */
  fresh: (id: string) => boolean
  buildHref: (id: string) => string
  /** Called when the end comes into view and there is more. */
  onEnd: (() => void) | undefined
}

/** The mails by sender, subject and time. */
export function MailList({ mails, selected, fresh, buildHref, onEnd }: MailListProps) {
  return (
    <>
      <ul aria-label="Emails" className="divide-y">
        {mails.map((mail) => (
          <Row
            key={mail.id}
            mail={mail}
            to={buildHref(mail.id)}
            selected={mail.id === selected}
            fresh={fresh(mail.id)}
          />
        ))}
      </ul>
      {onEnd && <End key={mails.length} onEnd={onEnd} />}
    </>
  )
}

function Row({ mail, to, selected, fresh }: { mail: SandboxMail; to: string; selected: boolean; fresh: boolean }) {
  return (
    <ListRow to={to} selected={selected} height={85} className="relative block py-2.5 pr-4 pl-6">
      {fresh && <span className="absolute top-4.5 left-2.5 size-1.5 rounded-full bg-accent" />}
      <span className="flex items-baseline justify-between gap-3">
        <span className={cx('truncate text-base text-ink', fresh ? 'font-semibold' : 'font-medium')}>
          {parseFrom(mail.from).name}
        </span>
        <time
          dateTime={mail.at}
          title={formatMoment(mail.at)}
          className={cx('shrink-0 text-xs tabular-nums', selected ? 'text-text' : 'text-muted')}
        >
          {formatShortMoment(mail.at)}
        </time>
      </span>
      <span className={cx('block truncate text-base', fresh ? 'font-medium text-ink' : 'text-text')}>
        {fresh && <span className="sr-only">New: </span>}
        {mail.subject || 'No subject'}
      </span>
      <span className={cx('block truncate text-sm', selected ? 'text-text' : 'text-muted')}>
        to {mail.to[0]}
        {mail.to.length > 1 && ` and ${mail.to.length - 1} more`}
      </span>
    </ListRow>
  )
}

function End({ onEnd }: { onEnd: () => void }) {
  const mark = useRef<HTMLDivElement>(null)
  const latest = useRef(onEnd)
  latest.current = onEnd
  useEffect(() => {
    const seen = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && latest.current(),
      { rootMargin: '400px' },
    )
    if (mark.current) seen.observe(mark.current)
    return () => seen.disconnect()
  }, [])
  return (
    <div ref={mark} className="p-4 text-center text-sm text-muted">
      Loading older emails...
    </div>
  )
}
