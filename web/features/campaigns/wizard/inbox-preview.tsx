import { useQuery } from '@tanstack/react-query'
import { Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { useState } from 'react'
import { templates } from '#contracts/templates/templates.ts'
import { api } from '#web/api.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'

/** A line as one recipient reads it; what holds no variable needs no server. The line itself while it cannot be rendered. */
function useRenderedLine(line: string): string {
  const text = useDebounced(line, 400)
  const { data } = useQuery({
    queryKey: ['rendered-line', text],
    queryFn: () => api(templates.draftPreview, { body: { subject: text, text: '-' } }),
    enabled: /\{[{%]/.test(text),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    retry: false,
  })
  return /\{[{%]/.test(line) ? (data?.subject ?? line) : line
}

interface InboxPreviewProps {
  from: string
  subject: string
  preview: string
}

/** How the email looks in an inbox among others, on a computer or a phone, light or dark, while it is written. */
export function InboxPreview({ from, subject, preview }: InboxPreviewProps) {
  const [isPhone, setPhone] = useState(false)
  const [isDark, setDark] = useState(false)
  const mail = {
    from: from || 'Your name',
    subject: useRenderedLine(subject) || 'Your subject',
    preview: useRenderedLine(preview) || 'The first words of your email appear here.',
  }
  return (
    <section aria-label="Inbox preview" className="min-w-0">
      <div className="mb-2 flex items-center justify-between gap-2">
        <h3 className="text-sm font-medium text-ink">Inbox preview</h3>
        <div className="flex gap-1">
          <IconButton size="sm" label="Desktop inbox" aria-pressed={!isPhone} onClick={() => setPhone(false)}>
            <Monitor aria-hidden="true" className={cx('size-4', !isPhone && 'text-accent-text')} />
          </IconButton>
          <IconButton size="sm" label="Mobile inbox" aria-pressed={isPhone} onClick={() => setPhone(true)}>
            <Smartphone aria-hidden="true" className={cx('size-4', isPhone && 'text-accent-text')} />
          </IconButton>
          <IconButton size="sm" label="Dark inbox" aria-pressed={isDark} onClick={() => setDark(!isDark)}>
            {isDark ? <Sun aria-hidden="true" className="size-4" /> : <Moon aria-hidden="true" className="size-4" />}
          </IconButton>
        </div>
      </div>
      <div
        style={{ colorScheme: isDark ? 'dark' : 'light' }}
        className={cx(
          'mx-auto overflow-hidden rounded-card border bg-surface text-ink',
          isPhone ? 'max-w-72' : 'max-w-full',
        )}
      >
        {isPhone ? <PhoneRow {...mail} /> : <DesktopRow {...mail} />}
        <OtherRow isPhone={isPhone} />
        <OtherRow isPhone={isPhone} />
      </div>
      <p className="mt-2 text-sm text-muted">Variables are filled in for a sample contact, Robin Example.</p>
    </section>
  )
}

function DesktopRow({ from, subject, preview }: InboxPreviewProps) {
  return (
    <div className="flex items-baseline gap-3 border-b px-3 py-2.5 text-sm">
      <span className="w-20 shrink-0 truncate font-semibold">{from}</span>
      <span className="min-w-0 flex-1 truncate">
        <span className="font-semibold">{subject}</span>
        <span className="text-muted"> - {preview}</span>
      </span>
      <span className="shrink-0 text-xs font-semibold tabular-nums">09:41</span>
    </div>
  )
}

function PhoneRow({ from, subject, preview }: InboxPreviewProps) {
  return (
    <div className="flex gap-3 border-b px-3 py-3 text-sm">
      <span
        aria-hidden="true"
        className="grid size-9 shrink-0 place-items-center rounded-full bg-accent text-base font-semibold text-on-accent"
      >
        {[...from][0]?.toUpperCase()}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className="truncate font-semibold">{from}</span>
          <span className="shrink-0 text-xs tabular-nums">09:41</span>
        </span>
        <span className="block truncate font-medium">{subject}</span>
        <span className="line-clamp-2 text-muted">{preview}</span>
      </span>
    </div>
  )
}

/** Somebody else's email: gray lines. */
function OtherRow({ isPhone }: { isPhone: boolean }) {
  return (
    <div aria-hidden="true" className="flex items-center gap-3 border-b px-3 py-3 last:border-0">
      {isPhone ? (
        <span className="size-9 shrink-0 rounded-full bg-sunken" />
      ) : (
        <span className="h-2.5 w-20 shrink-0 rounded-full bg-sunken" />
      )}
      <span className="h-2.5 min-w-0 flex-1 rounded-full bg-sunken" />
      <span className="h-2.5 w-8 shrink-0 rounded-full bg-sunken" />
    </div>
  )
}
