interface PageMessageProps {
  /** `alert` is read aloud at once: only for what just went wrong. */
  role?: 'alert'
  /** The envelope's edge, for one that did not arrive. */
  dashed?: boolean
  /** What is drawn on the envelope. */
  drawing: React.ReactNode
  title: string
  text: React.ReactNode
  /** The buttons. */
  children: React.ReactNode
}

/** A page that stands where the one asked for cannot: an envelope, a title, a sentence and the buttons that lead on. */
export function PageMessage({ role, dashed = false, drawing, title, text, children }: PageMessageProps) {
  return (
    <div role={role} className="mx-auto flex max-w-lg flex-col items-center px-6 py-24 text-center">
      <svg aria-hidden="true" viewBox="0 0 200 120" width="200" height="120" fill="none">
        <rect
          x="30"
          y="16"
          width="140"
          height="92"
          rx="10"
          fill="var(--color-raised)"
          stroke="var(--color-line)"
          strokeWidth="2"
          strokeDasharray={dashed ? '7 6' : undefined}
        />
        {drawing}
      </svg>
      <h1 className="mt-8 text-2xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-2 text-md text-muted">{text}</p>
      <div className="mt-7 flex flex-wrap justify-center gap-2">{children}</div>
    </div>
  )
}
