interface AccountCardProps {
  title: string
  description?: React.ReactNode
  /** Under the card: the way to the other page. */
  below?: React.ReactNode
  children: React.ReactNode
}

/** One step of signing in: a title, a sentence, a form, and the way elsewhere below. */
export function AccountCard({ title, description, below, children }: AccountCardProps) {
  return (
    <>
      <section className="rounded-dialog border bg-surface px-6 py-7 sm:px-8">
        <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
        {description && <p className="mt-1 text-base text-muted">{description}</p>}
        <div className="mt-6">{children}</div>
      </section>
      {below && <p className="mt-6 text-center text-base text-muted">{below}</p>}
    </>
  )
}

/** The look of a link inside a sentence. */
export const linkClass = 'rounded-[3px] font-medium text-accent-text underline-offset-3 hover:underline'
