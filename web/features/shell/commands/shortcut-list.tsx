import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { goTo } from './shortcuts.ts'

/** A key with what it does, as the list of shortcuts shows it. */
interface Shortcut {
  key: string
  /** The key that is held down meanwhile. */
  held?: string
  /** The key that is pressed before it. */
  after?: string
  label: string
}

const otherShortcuts: Shortcut[] = [
  { held: 'Ctrl', key: 'K', label: 'Search or run a command' },
  { key: 'C', label: 'Create' },
  { key: '/', label: 'Search this page' },
  { key: 'J', label: 'Next row' },
  { key: 'K', label: 'Previous row' },
  { key: 'Esc', label: 'Close' },
  { key: '?', label: 'Show shortcuts' },
]

const goToShortcuts: Shortcut[] = goTo.map(({ key, label }) => ({ after: 'G', key: key.toUpperCase(), label }))

/** Every shortcut with what it does. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Keyboard shortcuts"
      description="They work everywhere except in text fields."
      size="lg"
    >
      <div className="grid gap-x-10 gap-y-5 pb-5 sm:grid-cols-2">
        <Part title="General" rows={otherShortcuts} />
        <Part title="Go to" rows={goToShortcuts} />
      </div>
    </Dialog>
  )
}

function Part({ title, rows }: { title: string; rows: Shortcut[] }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-sm font-medium text-muted">{title}</h3>
      <dl className="divide-y">
        {rows.map(({ after, held, key, label }) => (
          <div key={label} className="flex items-center justify-between gap-4 py-1.5">
            <dt className="text-base text-ink">{label}</dt>
            <dd className="flex shrink-0 items-center gap-1 text-xs text-muted">
              {held && <Key>{held}</Key>}
              {after && (
                <>
                  <Key>{after}</Key>
                  then
                </>
              )}
              <Key>{key}</Key>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Key({ children }: { children: string }) {
  return (
    <kbd className="min-w-6 rounded-[4px] border bg-sunken px-1.5 text-center font-sans text-xs/5 text-text">
      {children}
    </kbd>
  )
}
