import type { Sender } from '#contracts/senders.ts'
import { formatNumber } from '#web/ui/format.ts'
import type { Step } from '#web/ui/stepper.tsx'
import type { Answers } from './draft.ts'

export const stepIds = ['authenticate', 'template', 'recipients', 'campaign', 'send'] as const
export type StepId = (typeof stepIds)[number]

interface Known {
  sender: Pick<Sender, 'state' | 'fromEmail'> | undefined
  templateName: string | undefined
  listNames: string[]
  people: number | undefined
}

/** The five steps with what was answered in each. */
export function stepsOf(answers: Answers, known: Known): (Step & { id: StepId })[] {
  const hasContent = answers.templateId !== null || answers.html !== ''
  const steps = [
    {
      id: 'authenticate' as const,
      label: 'Authenticate',
      answer: known.sender?.fromEmail,
      done: answers.senderId !== null,
    },
    {
      id: 'template' as const,
      label: 'Upload template',
      answer: hasContent ? (known.templateName ?? 'Its own text') : undefined,
      done: hasContent,
    },
    {
      id: 'recipients' as const,
      label: 'Upload recipients',
      answer:
        answers.listIds.length > 0
          ? `${known.listNames.join(', ')}${known.people === undefined ? '' : ` (${formatNumber(known.people)})`}`
          : undefined,
      done: answers.listIds.length > 0,
    },
    {
      id: 'campaign' as const,
      label: 'Create campaign',
      answer: answers.subject || undefined,
      done: answers.name.trim() !== '' && answers.subject.trim() !== '',
    },
    { id: 'send' as const, label: 'Send', answer: undefined, done: false },
  ]
  const ready = steps.findIndex((step) => !step.done)
  return steps.map((step, index) => ({ ...step, open: index <= ready }))
}

/** The step a problem of the check is mended in, or the page. */
export function mendingPlace(code: string): { step: StepId; label: string } | { to: string; label: string } {
  if (/sender|from/.test(code)) return { step: 'authenticate', label: 'Look at the sender' }
  if (/postal|company/.test(code)) return { to: '/account', label: 'Add it to your account' }
  if (code === 'suppressed') return { to: '/contacts/suppressions', label: 'See who' }
  if (/list|recipient/.test(code)) return { step: 'recipients', label: 'Choose recipients' }
  if (/subject|name/.test(code)) return { step: 'campaign', label: 'Write the subject' }
  if (/plan|quota|limit/.test(code)) return { to: '/plan', label: 'See the plans' }
  return { step: 'template', label: 'Mend the template' }
}
