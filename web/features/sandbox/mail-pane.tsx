import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { ApiError } from '#contracts/client.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Tabs } from '#web/ui/layout/tabs.tsx'
import { formatBytes, formatMoment } from '#web/ui/lib/format.ts'
import { EmailDrawing } from '#web/ui/theme/drawings.tsx'
import { HtmlView } from './html-view.tsx'
import { parseFrom } from './labels.ts'
import { AttachmentList, HeadersView, SourceView, TextView, UnsubscribeBadge } from './mail-parts.tsx'
import { useMail } from './queries.ts'
import { ReplyDialog } from './reply-dialog.tsx'

type MailView = 'html' | 'text' | 'headers' | 'source' | 'files'

/** One mail: who, what, when, and its parts in tabs. The chosen tab stays from mail to mail where the mail has it. */
export function MailPane({ id, back }: { id: string; back: string }) {
  const { data: mail, error, refetch } = useMail(id)
  const [answering, setAnswering] = useState(false)
  const [wanted, setWanted] = useState<MailView>('html')
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        drawing={<EmailDrawing />}
        title="This email is no longer available"
        action={
          <Link to={back} preventScrollReset className="font-medium text-accent-text underline underline-offset-3">
            Back to the list
          </Link>
        }
      >
        The sandbox was emptied, or its oldest emails were removed to make room.
      </EmptyState>
    )
  }
  if (error) return <ErrorState title="The email could not be loaded" error={error} onRetry={() => refetch()} />
  if (!mail) return <Loading />

  const tabs: { value: MailView; label: React.ReactNode; content: React.ReactNode }[] = [
    ...(mail.html === null
      ? []
      : [{ value: 'html' as const, label: 'HTML', content: <HtmlView html={mail.html} subject={mail.subject} /> }]),
    ...(mail.text === null ? [] : [{ value: 'text' as const, label: 'Text', content: <TextView text={mail.text} /> }]),
    { value: 'headers', label: 'Headers', content: <HeadersView headers={mail.headers} /> },
    { value: 'source', label: 'Source', content: <SourceView id={mail.id} /> },
    ...(mail.attachments.length === 0
      ? []
      : [
          {
            value: 'files' as const,
            label: `Attachments (${mail.attachments.length})`,
            content: <AttachmentList id={mail.id} attachments={mail.attachments} />,
          },
        ]),
  ]
  const { name, address } = parseFrom(mail.from)
  const shown = tabs.find((tab) => tab.value === wanted)?.value ?? tabs[0]?.value ?? 'source'
  return (
    <article aria-label={mail.subject || 'Email without a subject'} className="p-4 sm:p-6">
      <Link
        to={back}
        preventScrollReset
        className="mb-3 -ml-1 inline-flex h-9 items-center gap-1.5 rounded-control px-1 text-base text-muted hover:text-ink wide:hidden"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        All emails
      </Link>
      <header className="mb-4">
        <h2 className="text-lg font-semibold tracking-tight wrap-anywhere">{mail.subject || 'No subject'}</h2>
        <div className="mt-3 flex gap-3">
          <span
            aria-hidden="true"
            className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft text-base font-semibold text-accent-text"
          >
            {name.slice(0, 1).toUpperCase()}
          </span>
          <div className="min-w-0 flex-1 text-base">
            <p className="wrap-anywhere">
              <span className="font-medium text-ink">{name}</span>{' '}
              {name !== address && <span className="text-muted">{address}</span>}
            </p>
            <p className="text-sm wrap-anywhere text-muted">
              to {mail.to.slice(0, 5).join(', ')}
              {mail.to.length > 5 && ` and ${mail.to.length - 5} more`}
            </p>
            <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
              <time dateTime={mail.at}>{formatMoment(mail.at)}</time>
              <span>{formatBytes(mail.size)}</span>
              <UnsubscribeBadge headers={mail.headers} />
              {mail.canReply && (
                <Button size="sm" onClick={() => setAnswering(true)}>
                  Reply as recipient
                </Button>
              )}
            </div>
          </div>
        </div>
      </header>
      <Tabs label="Email views" tabs={tabs} value={shown} onChange={setWanted} />
      {answering && <ReplyDialog id={mail.id} to={mail.to[0] ?? ''} onClose={() => setAnswering(false)} />}
    </article>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Loading..." className="space-y-4 p-6">
      <Skeleton className="h-6 w-2/3" />
      <Skeleton className="h-9 w-1/2" />
      <Skeleton className="h-80 w-full" />
    </div>
  )
}
