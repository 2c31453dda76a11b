import { Download, MailCheck, Paperclip } from 'lucide-react'
import { useState } from 'react'
import { sandbox } from '#contracts/sandbox/sandbox.ts'
import { api, errorMessage } from '#web/api.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatBytes } from '#web/ui/lib/format.ts'
import { saveFile } from '#web/ui/lib/save-file.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { headerNote } from './labels.ts'
import { useSource } from './queries.ts'

const SHOWN = 400_000

/** The text part as it is read. */
export function TextView({ text }: { text: string }) {
  return <pre className="max-w-[76ch] font-sans text-base wrap-anywhere whitespace-pre-wrap text-text">{text}</pre>
}

/** Every header in order; those that let readers unsubscribe with one click stand out. */
export function HeadersView({ headers }: { headers: { name: string; value: string }[] }) {
  return (
    <dl className="divide-y text-sm">
      {headers.map(({ name, value }, index) => {
        const note = headerNote(name)
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: headers repeat, and a mail never changes
            key={index}
            className={cx('gap-x-4 px-2 py-2 sm:grid sm:grid-cols-[13rem_1fr]', note && 'rounded-control bg-good-soft')}
          >
            <dt className="font-medium wrap-anywhere text-ink">{name}</dt>
            <dd className="font-mono wrap-anywhere text-text">
              {value}
              {note && (
                <Badge tone="good" shape="check" className="mt-1.5 flex w-fit font-sans">
                  {note}
                </Badge>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** The mail byte for byte, as the receiving server would have got it. */
export function SourceView({ id }: { id: string }) {
  const source = useSource(id)
  if (source.isError)
    return <ErrorState title="The source could not be loaded" error={source.error} onRetry={() => source.refetch()} />
  if (!source.data) return <Skeleton className="h-64 w-full" />
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SaveButton
          label="Download .eml"
          load={() => api(sandbox.source, { params: { id } })}
          name={`mail-${id}.eml`}
        />
        <CopyButton text={source.data}>Copy source</CopyButton>
        {source.data.length > SHOWN && (
          <p className="text-sm text-muted">
            Showing the first {formatBytes(SHOWN)}. The download contains everything.
          </p>
        )}
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reached by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-card border bg-sunken p-4 font-mono text-xs text-text"
      >
        {source.data.slice(0, SHOWN)}
      </pre>
    </div>
  )
}

interface Attachment {
  index: number
  name: string
  type: string
  size: number
}

/** The files that came with the mail. */
export function AttachmentList({ id, attachments }: { id: string; attachments: Attachment[] }) {
  return (
    <ul className="grid gap-2 sm:grid-cols-2">
      {attachments.map(({ index, name, type, size }) => (
        <li key={index} className="flex min-w-0 items-center gap-3 rounded-card border bg-raised p-3">
          <Paperclip aria-hidden="true" className="size-4 shrink-0 text-muted" />
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium text-ink" title={name}>
              {name}
            </p>
            <p className="truncate text-sm text-muted">
              {formatBytes(size)} · {type}
            </p>
          </div>
          <SaveButton
            label="Save"
            name={name}
            load={() => api(sandbox.attachment, { params: { id, index: String(index) } })}
          />
        </li>
      ))}
    </ul>
  )
}

/** Says that a mail can be left with one click, or that it cannot. */
export function UnsubscribeBadge({ headers }: { headers: { name: string; value: string }[] }) {
  const oneClick = headers.some(({ name }) => name.toLowerCase() === 'list-unsubscribe-post')
  if (!oneClick) return null
  return (
    <Badge tone="good" className="gap-1">
      <MailCheck aria-hidden="true" className="size-3" />
      One-click unsubscribe
    </Badge>
  )
}

function SaveButton({ label, name, load }: { label: string; name: string; load: () => Promise<Response> }) {
  const [busy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      await saveFile(await load(), name)
    } catch (error) {
      toast.error(`${name} could not be saved. ${errorMessage(error)}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      size="sm"
      busy={busy}
      onClick={save}
      icon={<Download aria-hidden="true" className="size-3.5" />}
      aria-label={label === 'Save' ? `Save ${name}` : undefined}
    >
      {label}
    </Button>
  )
}
