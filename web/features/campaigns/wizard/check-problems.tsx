import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { Problem, ProblemCode } from '#contracts/campaigns/check.ts'
import { useChannel } from '../channels/index.ts'
import type { StepId } from './wizard-steps.ts'

/** What would stop or hurt the campaign, each with the place where it is fixed. */
export function CheckProblems({
  problems,
  goTo,
}: {
  problems: z.infer<typeof Problem>[]
  goTo: (step: StepId) => void
}) {
  if (problems.length === 0)
    return (
      <p className="flex items-center gap-2 text-base text-text">
        <CircleCheck aria-hidden="true" className="size-4.5 text-good-text" /> No problems found.
      </p>
    )
  return (
    <section aria-label="Pre-send check" className="rounded-card border bg-surface">
      <h3 className="border-b px-4 py-2.5 text-base font-semibold">Pre-send check</h3>
      <ul className="divide-y">
        {problems.map((problem) => (
          <li
            key={`${problem.code} ${problem.message}`}
            className="flex flex-wrap items-start gap-x-2.5 gap-y-1 px-4 py-3 text-base"
          >
            {problem.severity === 'error' ? (
              <CircleAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-harm-text" />
            ) : (
              <TriangleAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-attention-text" />
            )}
            <span className="min-w-0 flex-1 basis-56 wrap-anywhere text-ink">
              <span className="font-medium">{problem.severity === 'error' ? 'Required: ' : 'Warning: '}</span>
              {problem.message}
            </span>
            <Fix code={problem.code} goTo={goTo} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Fix({ code, goTo }: { code: ProblemCode; goTo: (step: StepId) => void }) {
  const place = useChannel().fixes[code]
  if (!place) return null
  const look = 'shrink-0 rounded-control font-medium text-accent-text hover:underline'
  if ('to' in place)
    return (
      <Link to={place.to} className={look}>
        {place.label}
      </Link>
    )
  return (
    <button type="button" className={look} onClick={() => goTo(place.step)}>
      {place.label}
    </button>
  )
}
