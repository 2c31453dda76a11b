import { Check } from 'lucide-react'
import type { Dashboard } from '#contracts/dashboard/dashboard.ts'
import { channelPages } from '#web/channel-pages.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { cx } from '#web/ui/lib/class-names.ts'

const steps = (progress: Dashboard['steps'] | undefined) => [
  { label: 'Authenticate', hint: 'Account confirmed', done: true, action: 'Open account', to: '/account' },
  {
    label: 'Upload a template',
    hint: 'Start from one of our templates, or use your own HTML or MJML file.',
    done: progress?.template,
    action: 'Choose a template',
    to: '/my-templates',
  },
  {
    label: 'Upload recipients',
    hint: 'Import a CSV or Excel file, or add contacts one at a time.',
    done: progress?.recipients,
    action: 'Import contacts',
    to: '/contacts/import',
  },
  {
    label: 'Create a campaign',
    hint: 'Choose the sender, template, recipients and subject. Your progress is saved automatically.',
    done: progress?.campaign,
    action: 'Create campaign',
    to: channelPages.email.wizard,
  },
  {
    label: 'Send',
    hint: 'Run the pre-send check, send yourself a test, then send or schedule.',
    done: progress?.sent,
    action: 'Open campaigns',
    to: channelPages.email.list,
  },
]

/** The five steps before the first campaign is sent: what each does, and one button. Each ticks itself from what is really there. */
export function FirstSteps({ steps: progress }: { steps: Dashboard['steps'] | undefined }) {
  const all = steps(progress)
  const next = progress && all.find((step) => !step.done)
  const count = all.filter((step) => step.done).length
  return (
    <Card title="Get started" description={progress ? `${count} of 5 done` : 'Loading...'} flush>
      <ol className="divide-y border-t">
        {all.map((step, index) => (
          <li
            key={step.label}
            className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-3 px-5 py-4 sm:flex"
          >
            <span
              className={cx(
                'grid size-7 shrink-0 place-items-center rounded-full border text-sm font-semibold tabular-nums',
                step.done
                  ? 'border-good/40 bg-good-soft text-good-text'
                  : step === next
                    ? 'border-accent bg-accent text-on-accent'
                    : 'text-muted',
              )}
            >
              {step.done ? (
                <Check aria-hidden="true" strokeWidth={3} className="size-3.5" />
              ) : (
                <span aria-hidden="true">{index + 1}</span>
              )}
            </span>
            <span className="min-w-0 flex-1">
              <span className={cx('block text-base font-semibold', step.done ? 'text-muted' : 'text-ink')}>
                {step.label}
                {step.done && <span className="sr-only">, done</span>}
              </span>
              <span className="block text-base text-muted">{step.hint}</span>
            </span>
            {!step.done && (
              <ButtonLink
                kind={step === next ? 'primary' : 'secondary'}
                to={step.to}
                className="max-sm:col-start-2 max-sm:justify-self-start"
              >
                {step.action}
              </ButtonLink>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
