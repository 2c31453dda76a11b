import { steps } from '../layout/site-content.ts'
import './five-steps.css'

/** The way to a sent campaign; the line fills while it enters the view. */
export function FiveSteps() {
  return (
    <section className="mx-auto max-w-300 px-5 py-24 sm:px-8 wide:py-32">
      <h2 className="text-2xl font-semibold tracking-tight sm:text-3xl">Five steps to your first campaign</h2>
      <ol className="five-steps relative mt-12 grid gap-8 md:grid-cols-5 md:gap-6">
        {steps.map((step, index) => (
          <li key={step.title} className="relative flex gap-4 md:block">
            <span className="relative z-10 grid size-9 shrink-0 place-items-center rounded-full border border-accent-line bg-surface text-base font-semibold text-accent-text tabular-nums">
              {index + 1}
            </span>
            <div className="md:mt-5">
              <h3 className="text-md font-semibold">{step.title}</h3>
              <p className="mt-1 text-base text-muted">{step.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
