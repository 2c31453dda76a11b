import { Check } from 'lucide-react'
import { Link } from 'react-router'
import type { Dashboard } from '#contracts/dashboard/dashboard.ts'
import { channelPages } from '#web/channel-pages.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { cx } from '#web/ui/lib/class-names.ts'

/** The five steps; each ticks itself from what is really there, and the first open one is the one to press. */
export function FirstSteps({ steps: progress }: { steps: Dashboard['steps'] | undefined }) {
  const steps = [
    { label: 'Authenticate', hint: 'Your email address is confirmed.', to: '/account', done: true },
    {
      label: 'Upload a template',
      hint: 'Use an HTML or MJML file, or one of our templates.',
      to: '/my-templates',
      done: progress?.template,
    },
    {
      label: 'Upload recipients',
      hint: 'Use a CSV or XLSX file, or add contacts one by one.',
      to: '/contacts',
      done: progress?.recipients,
    },
    {
      label: 'Create a campaign',
      hint: 'Choose the sender, recipients and time.',
      to: channelPages.email.wizard,
      done: progress?.campaign,
    },
    { label: 'Send', hint: 'Check it, send yourself a test, then send.', to: '/mail-dash', done: progress?.sent },
  ]
  const next = progress && steps.find((step) => !step.done)
  const count = steps.filter((step) => step.done).length
  return (
    <Card title="Get started" description={progress ? `${count} of 5 done` : 'Loading...'} flush>
      <ol className="px-2 pb-2">
        {steps.map((step, index) => (
          <li key={step.label}>
            <Link
              to={step.to}
              className={cx(
                'flex items-start gap-3 rounded-control px-3 py-2 transition-colors hover:bg-hover',
                step === next && 'bg-accent-soft',
              )}
            >
              <span
                className={cx(
                  'mt-0.5 grid size-5.5 shrink-0 place-items-center rounded-full border text-xs font-semibold tabular-nums',
                  step.done
                    ? 'border-good/40 bg-good-soft text-good-text'
                    : step === next
                      ? 'border-accent bg-accent text-on-accent'
                      : 'text-muted',
                )}
              >
                {step.done ? (
                  <Check aria-hidden="true" strokeWidth={3} className="size-3" />
                ) : (
                  <span aria-hidden="true">{index + 1}</span>
                )}
              </span>
              <span className="min-w-0">
                <span className={cx('block text-base font-medium', step.done ? 'text-muted' : 'text-ink')}>
                  {step.label}
                  {step.done && <span className="sr-only">, done</span>}
                </span>
                {!step.done && <span className="block text-sm text-muted">{step.hint}</span>}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  )
}
