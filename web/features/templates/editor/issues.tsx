import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { TemplateProblem } from '#contracts/templates/templates.ts'
import { Button } from '#web/ui/form/button.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { Popover } from '#web/ui/overlay/popover.tsx'

interface IssuesProps {
  problems: TemplateProblem[] | undefined
  /** Shows where it is. */
  onGo: (line: number) => void
}

const toSentence = (message: string) => (/[.!?”]$/.test(message) ? message : `${message}.`)

/** How many issues the email has; opens the list of them. Empty until they are known. */
export function Issues({ problems, onGo }: IssuesProps) {
  const [open, setOpen] = useState(false)
  if (!problems) return null
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const [Icon, tone] =
    errors > 0
      ? [CircleAlert, 'text-harm-text']
      : problems.length > 0
        ? [TriangleAlert, 'text-attention-text']
        : [CircleCheck, 'text-good-text']
  return (
    <Popover
      label="Issues"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" kind="quiet" icon={<Icon aria-hidden="true" className={`size-4 ${tone}`} />}>
          <span className="max-sm:sr-only">
            {problems.length === 0 ? 'No issues' : plural(problems.length, 'issue')}
          </span>
          {problems.length > 0 && (
            <span aria-hidden="true" className="sm:hidden">
              {problems.length}
            </span>
          )}
        </Button>
      }
    >
      <h2 className="mb-2 text-base font-semibold text-ink">Issues</h2>
      {problems.length === 0 && <p className="text-muted">No issues found. This email is ready to send.</p>}
      <ul className="-mx-2 space-y-0.5">
        {problems.map((problem) => (
          <li key={`${problem.code} ${problem.line} ${problem.message}`}>
            <Issue
              problem={problem}
              onGo={(line) => {
                setOpen(false)
                onGo(line)
              }}
            />
          </li>
        ))}
      </ul>
    </Popover>
  )
}

function Issue({ problem, onGo }: { problem: TemplateProblem; onGo: (line: number) => void }) {
  const { severity, message, line } = problem
  const text = (
    <>
      {severity === 'error' ? (
        <CircleAlert aria-label="Required" className="mt-0.5 size-4 shrink-0 text-harm-text" />
      ) : (
        <TriangleAlert aria-label="Warning" className="mt-0.5 size-4 shrink-0 text-attention-text" />
      )}
      <span className="min-w-0">{toSentence(message)}</span>
    </>
  )
  const look = 'flex w-full items-start gap-2 rounded-control px-2 py-1.5 text-left text-base text-ink'
  if (line === null) return <p className={look}>{text}</p>
  return (
    <button type="button" className={`${look} hover:bg-hover`} onClick={() => onGo(line)}>
      {text}
    </button>
  )
}
