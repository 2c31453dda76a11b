import { ButtonLink } from '#web/ui/form/button.tsx'

/** The last word of a public page: where to begin. */
export function Begin() {
  return (
    <section className="overflow-clip border-t">
      <div className="mx-auto max-w-300 px-5 py-24 text-center sm:px-8 wide:py-32">
        <h2 className="mx-auto max-w-[18ch] text-3xl font-[680] tracking-[-0.035em] sm:text-4xl">
          Send your first campaign today.
        </h2>
        <p className="mx-auto mt-5 max-w-[48ch] text-read text-text">
          Try everything in a sandbox first. Nothing is sent until you connect your own mail server.
        </p>
        <div className="mt-9 flex flex-wrap justify-center gap-3">
          <ButtonLink kind="primary" size="lg" to="/signup">
            Get Started For Free
          </ButtonLink>
          <ButtonLink size="lg" to="/pricing">
            View plans
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}
