import { CopyButton } from './copy-button.tsx'

/** Text to read or copy letter for letter; long lines scroll inside. */
export function CodeBlock({ code, label, maxHeight = 320 }: { code: string; label: string; maxHeight?: number }) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-card border bg-sunken">
      <figcaption className="flex items-center justify-between gap-3 border-b px-3 py-1.5 text-xs text-muted">
        {label}
        <CopyButton text={code} kind="quiet" size="sm" />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        tabIndex={0}
        style={{ maxHeight }}
        className="overflow-auto px-3 py-2.5 font-mono text-sm text-ink focus-visible:-outline-offset-2"
      >
        <code>{code}</code>
      </pre>
    </figure>
  )
}
