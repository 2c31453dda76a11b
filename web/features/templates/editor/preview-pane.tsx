import { Monitor, Moon, Smartphone } from 'lucide-react'
import { useState } from 'react'
import type { ResponseBody } from '#contracts/endpoint.ts'
import type { templates } from '#contracts/templates/templates.ts'
import { errorMessage } from '#web/api.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { useEditorBackend } from '../editor-backend.tsx'
import { MailFrame } from '../mail-frame.tsx'
import { type PreviewReader, ReaderPicker } from './contact-picker.tsx'

type Rendered = ResponseBody<typeof templates.draftPreview>
type View = 'desktop' | 'phone' | 'dark' | 'text'

const views: { value: View; label: string; icon?: React.ReactNode }[] = [
  { value: 'desktop', label: 'Desktop', icon: <Monitor aria-hidden="true" className="size-4" /> },
  { value: 'phone', label: 'Mobile', icon: <Smartphone aria-hidden="true" className="size-4" /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden="true" className="size-4" /> },
  { value: 'text', label: 'Text' },
]

interface PreviewPaneProps {
  rendered: Rendered | undefined
  error: unknown
  stale: boolean
  reader: PreviewReader
  onReader: (reader: PreviewReader) => void
}

/** The email as it arrives: on a desk, on a phone, as text; for a made-up person or a real one. */
export function PreviewPane({ rendered, error, stale, reader, onReader }: PreviewPaneProps) {
  const { isDemo } = useEditorBackend()
  const [view, setView] = useState<View>('desktop')
  return (
    <section aria-label="Preview" className="flex h-full min-h-0 flex-col">
      <div className="flex flex-wrap items-center justify-between gap-2 border-b px-3 py-2">
        <div role="group" aria-label="Preview mode" className="flex gap-0.5 rounded-control bg-sunken p-0.5">
          {views.map(({ value, label, icon }) => (
            <button
              key={value}
              type="button"
              aria-pressed={view === value}
              onClick={() => setView(value)}
              className="inline-flex h-7 items-center gap-1.5 rounded-[4px] px-2.5 text-sm font-medium text-text hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink"
            >
              {icon}
              {label}
            </button>
          ))}
        </div>
        {!isDemo && <ReaderPicker reader={reader} total={rendered?.total ?? null} onChange={onReader} />}
      </div>
      {error !== null && error !== undefined && (
        <Banner tone="harm" className="m-3">
          {errorMessage(error)} {rendered ? 'The last working preview is shown below.' : ''}
        </Banner>
      )}
      <p className="truncate border-b px-4 py-2 text-base text-ink" title={rendered?.subject}>
        <span className="text-muted">Subject: </span>
        {rendered?.subject || <span className="text-muted">none yet</span>}
      </p>
      {rendered?.recipient && (
        <p className="truncate border-b px-4 py-2 text-sm text-muted">
          As {rendered.recipient.name || 'no name'} ({rendered.recipient.email})
        </p>
      )}
      {view === 'dark' && rendered && !/prefers-color-scheme:\s*dark/i.test(rendered.html) && (
        <p className="border-b px-4 py-2 text-sm text-muted">
          This email has no dark colors of its own. Email apps may leave it light or invert its colors.
        </p>
      )}
      <div className={cx('min-h-0 flex-1 overflow-auto bg-sunken transition-opacity', stale && 'opacity-70')}>
        {rendered === undefined ? (
          !error && <Skeleton className="m-6 h-72" />
        ) : view === 'text' ? (
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
            tabIndex={0}
            className="h-full overflow-auto bg-raised p-4 font-mono text-sm whitespace-pre-wrap text-ink"
          >
            {rendered.text || 'The plain-text version is empty.'}
          </pre>
        ) : (
          <MailFrame
            key={view === 'dark' ? 'dark' : 'light'}
            html={rendered.html}
            title="Email preview"
            dark={view === 'dark'}
            className={cx('mx-auto block h-full border-0', view === 'phone' ? 'w-[375px] max-w-full' : 'w-full')}
          />
        )}
      </div>
    </section>
  )
}
