interface AnswerProps {
  /** The one figure people look for first, already formatted. */
  value: string
  label: string
  /** The result in one sentence. */
  sentence: string
  /** What was sent, beside it. */
  children?: React.ReactNode
}

/** The answer of a report: one large figure, one sentence, and what was sent. */
export function Answer({ value, label, sentence, children }: AnswerProps) {
  return (
    <section
      aria-label="Result"
      className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5 rounded-card border bg-surface p-5"
    >
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-sm font-medium text-muted">{label}</p>
        <p className="mt-0.5 text-2xl font-semibold tracking-tight text-ink tabular-nums">{value}</p>
        <p className="mt-2 max-w-prose text-md text-balance text-text">{sentence}</p>
      </div>
      {children}
    </section>
  )
}
