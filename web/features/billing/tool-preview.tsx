import { cx } from '#web/ui/lib/class-names.ts'

interface PreviewRow {
  main: string
  note: string
  end: string
}

interface Preview {
  title: string
  figure: string
  rows: PreviewRow[]
}

/** Made-up rows of each paid tool, with the reserved example domains and number ranges. */
const previews: Record<string, Preview> = {
  '/gmail-sender': {
    title: 'Spring workshop',
    figure: '312 of 480 sent',
    rows: [
      { main: 'Email 1', note: 'Mon to Fri, 9:00 to 17:00', end: '41% opened' },
      { main: 'Follow-up 1', note: 'After 3 days without a reply', end: '12% replied' },
      { main: 'Follow-up 2', note: 'After 5 more days without a reply', end: 'Scheduled' },
    ],
  },
  '/email-scraper': {
    title: 'Bakeries in Leeds',
    figure: '128 email addresses',
    rows: [
      { main: 'press@bakery.example', note: 'Domain accepts email', end: 'bakery.example/contact' },
      { main: 'hello@bakery.example', note: 'Shared mailbox', end: 'bakery.example' },
      { main: 'ida@bikes.example', note: 'Personal', end: 'bikes.example/team' },
    ],
  },
  '/number-scraper': {
    title: 'Harbor cafés',
    figure: '74 phone numbers',
    rows: [
      { main: '+1 202 555 0143', note: 'United States', end: 'harbor.example/visit' },
      { main: '+44 20 7946 0958', note: 'United Kingdom', end: 'quay.example/contact' },
      { main: '+61 2 5550 9821', note: 'Australia', end: 'reef.example' },
    ],
  },
}

/** A piece of a paid tool's screen; only to be looked at. */
export function ToolPreview({ to }: { to: string }) {
  const preview = previews[to]
  if (!preview) return null
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-b px-4 py-2.5">
        <span className="font-semibold text-ink">{preview.title}</span>
        <span className="text-muted tabular-nums">{preview.figure}</span>
      </p>
      {preview.rows.map(({ main, note, end }, at) => (
        <p key={main} className={cx('flex items-center gap-3 px-4 py-2', at > 0 && 'border-t')}>
          <span className="min-w-0 flex-1">
            <span className="block truncate text-ink tabular-nums">{main}</span>
            <span className="block truncate text-xs text-muted">{note}</span>
          </span>
          <span className="max-w-1/2 truncate text-xs text-muted tabular-nums">{end}</span>
        </p>
      ))}
    </>
  )
}
