import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import type { TemplateProblem } from '#contracts/templates/templates.ts'

/** What is wrong or doubtful in an email; each entry with a line leads there. */
export function ProblemList({
  problems,
  onGo,
}: {
  problems: TemplateProblem[] | undefined
  onGo: (line: number) => void
}) {
  return (
    <section aria-label="Problems" aria-live="polite" className="max-h-44 shrink-0 overflow-y-auto border-t bg-surface">
      {problems?.length === 0 && (
        <p className="flex items-center gap-2 px-4 py-2.5 text-sm text-muted">
          <CircleCheck aria-hidden="true" className="size-4 text-good-text" /> No problems found
        </p>
      )}
      <ul className="divide-y">
        {problems?.map((problem) => (
          <li
            key={`${problem.code} ${problem.line} ${problem.message}`}
            className="flex items-start gap-2 px-4 py-2 text-sm text-ink"
          >
            {problem.severity === 'error' ? (
              <CircleAlert aria-label="Error" className="mt-0.5 size-4 shrink-0 text-harm-text" />
            ) : (
              <TriangleAlert aria-label="Warning" className="mt-0.5 size-4 shrink-0 text-attention-text" />
            )}
            <span className="min-w-0 flex-1">{problem.message}</span>
            {problem.line !== null && (
              <button
                type="button"
                onClick={() => onGo(problem.line ?? 1)}
                className="shrink-0 rounded-control font-medium text-accent-text hover:underline"
              >
                Line {problem.line}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
