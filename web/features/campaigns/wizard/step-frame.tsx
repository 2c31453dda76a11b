/** One question of the wizard, with one sentence about it. */
export function StepFrame({
  title,
  children,
  hint,
}: {
  title: string
  hint: React.ReactNode
  children: React.ReactNode
}) {
  return (
    <section aria-label={title} className="space-y-5">
      <header>
        <h2 data-step-heading tabIndex={-1} className="text-lg font-semibold outline-none">
          {title}
        </h2>
        <p className="mt-1 max-w-prose text-base text-muted">{hint}</p>
      </header>
      {children}
    </section>
  )
}
