import type { Sender } from '#contracts/senders.ts'
import { formatNumber, plural } from '#web/ui/format.ts'
import type { Step } from '#web/ui/stepper.tsx'
import type { Answers } from './draft.ts'
import { hoursInWords } from './hours-words.ts'

/** Every question a wizard may ask; which of them and in which order says the channel. */
export type StepId = 'authenticate' | 'template' | 'recipients' | 'campaign' | 'followups' | 'hours' | 'send'

interface Known {
  senders: Pick<Sender, 'fromEmail'>[]
  templateName: string | undefined
  listNames: string[]
  people: number | undefined
  followUps: number
}

/** A wizard's steps with what was answered in each. */
export function stepsOf(ids: readonly StepId[], answers: Answers, known: Known): (Step & { id: StepId })[] {
  const hasContent = answers.templateId !== null || answers.html !== ''
  const all: Record<StepId, Omit<Step, 'id'>> = {
    authenticate: {
      label: 'Authenticate',
      answer: known.senders.length > 1 ? plural(known.senders.length, 'account') : known.senders[0]?.fromEmail,
      done: answers.senderId !== null || answers.senderIds.length > 0,
    },
    template: {
      label: 'Upload template',
      answer: hasContent ? (known.templateName ?? 'Its own text') : undefined,
      done: hasContent,
    },
    recipients: {
      label: 'Upload recipients',
      answer:
        answers.listIds.length > 0
          ? `${known.listNames.join(', ')}${known.people === undefined ? '' : ` (${formatNumber(known.people)})`}`
          : undefined,
      done: answers.listIds.length > 0,
    },
    campaign: {
      label: 'Create campaign',
      answer: answers.subject || undefined,
      done: answers.name.trim() !== '' && answers.subject.trim() !== '',
    },
    followups: {
      label: 'Follow-ups',
      answer: known.followUps > 0 ? plural(known.followUps, 'follow-up') : 'none',
      done: true,
    },
    hours: { label: 'Sending hours', answer: hoursInWords(answers), done: true },
    send: { label: 'Send', done: false },
  }
  const steps = ids.map((id) => ({ id, ...all[id] }))
  const ready = steps.findIndex((step) => !step.done)
  return steps.map((step, index) => ({ ...step, open: index <= ready }))
}

/** The step a problem of the check is mended in, or the page. */
export function mendingPlace(code: string): { step: StepId; label: string } | { to: string; label: string } {
  if (/sender|from|account/.test(code)) return { step: 'authenticate', label: 'Look at the sender' }
  if (/postal|company/.test(code)) return { to: '/account', label: 'Add it to your account' }
  if (code === 'suppressed') return { to: '/contacts/suppressions', label: 'See who' }
  if (/list|recipient/.test(code)) return { step: 'recipients', label: 'Choose recipients' }
  if (/subject|name/.test(code)) return { step: 'campaign', label: 'Write the subject' }
  if (/plan|quota|limit/.test(code)) return { to: '/plan', label: 'See the plans' }
  return { step: 'template', label: 'Mend the template' }
}
