import type { Sender } from '#contracts/senders/senders.ts'
import type { Step } from '#web/ui/layout/stepper.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { hoursInWords } from '../hours-labels.ts'
import type { Answers } from './answers.ts'

/** Every question a wizard may ask; which of them and in which order says the channel. */
export type StepId = 'authenticate' | 'template' | 'recipients' | 'campaign' | 'followups' | 'hours' | 'send'

/** Where something is fixed: a step of the wizard, or a page. */
export type Place = { step: StepId; label: string } | { to: string; label: string }

interface Known {
  senders: Pick<Sender, 'fromEmail'>[]
  templateName: string | undefined
  listNames: string[]
  people: number | undefined
  followUps: number
}

export type WizardStep = Step & { id: StepId }

/** A wizard's steps with what was answered in each. */
export function stepsOf(ids: readonly StepId[], answers: Answers, known: Known): WizardStep[] {
  const hasContent = answers.templateId !== null || answers.html !== ''
  const all: Record<StepId, Omit<Step, 'id'>> = {
    authenticate: {
      label: 'Authenticate',
      answer: known.senders.length > 1 ? plural(known.senders.length, 'account') : known.senders[0]?.fromEmail,
      done: answers.senderId !== null || answers.senderIds.length > 0,
    },
    template: {
      label: 'Upload template',
      answer: hasContent ? (known.templateName ?? 'Uses its own text') : undefined,
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
  return opened(ids.map((id) => ({ id, ...all[id] })))
}

/** Steps of which those can be opened that are answered, and the first that is not. */
export function opened(steps: WizardStep[]): WizardStep[] {
  const ready = steps.findIndex((step) => !step.done)
  return steps.map((step, index) => ({ ...step, open: index <= ready }))
}
