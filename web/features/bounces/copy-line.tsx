import { CopyButton } from '#web/ui/form/copy-button.tsx'

/** A text to copy, under its label. */
export function CopyLine({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="mb-1 text-sm font-medium text-ink">{label}</p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 flex-1 basis-56 rounded-control bg-sunken px-2 py-1 font-mono text-sm wrap-anywhere text-ink">
          {text}
        </code>
        <CopyButton size="sm" text={text} aria-label={`Copy ${label.toLowerCase()}`} />
      </div>
    </div>
  )
}
