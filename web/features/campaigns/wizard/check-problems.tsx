import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { useChannel } from '../channels/index.ts'
import { type CheckProblem, findFix } from './fixes.ts'
import type { FixPlace, StepId } from './wizard-steps.ts'

interface CheckProblemsProps {
  problems: CheckProblem[]
  templateId: string | null
  goTo: (step: StepId) => void
}

/** What stops or hurts the campaign, each with the place where it is fixed. */
export function CheckProblems({ problems, templateId, goTo }: CheckProblemsProps) {
  const channel = useChannel()
  const { pathname, search } = useLocation()
  // Who is skipped is no problem to fix: the summary says it.
  const toFix = problems.filter(({ code }) => code !== 'suppressed')
  if (toFix.length === 0)
    return (
      <p className="flex items-center gap-2 text-base text-text">
        <CircleCheck aria-hidden="true" className="size-4.5 text-good-text" /> No problems found.
      </p>
    )
  // What has to be done comes first.
  const sorted = toFix.toSorted((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'))
  return (
    <section aria-label="Pre-send check" className="rounded-card border bg-surface">
      <h3 className="border-b px-4 py-2.5 text-base font-semibold">Pre-send check</h3>
      <ul className="divide-y">
        {sorted.map((problem) => (
          <li
            key={`${problem.code} ${problem.line} ${problem.message}`}
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
            <Fix place={findFix(channel, problem, templateId, `${pathname}${search}`)} goTo={goTo} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Fix({ place, goTo }: { place: FixPlace | undefined; goTo: (step: StepId) => void }) {
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
