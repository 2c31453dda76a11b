import type { Campaign } from '#contracts/campaigns.ts'
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
  return opened(ids.map((id) => ({ id, ...all[id] })))
}

/** Steps of which those can be opened that are answered, and the first that is not. */
export function opened(steps: WizardStep[]): WizardStep[] {
  const ready = steps.findIndex((step) => !step.done)
  return steps.map((step, index) => ({ ...step, open: index <= ready }))
}

type Place = { step: StepId; label: string } | { to: string; label: string }

/** The step a problem of the check is mended in, or the page. */
export function mendingPlace(code: string, channel: Campaign['channel']): Place {
  if (channel === 'whatsapp') return mendingOverWhatsApp(code)
  if (code === 'replies_unseen') return { to: '/gmail-sender', label: 'See the accounts' }
  if (/rows/.test(code)) return { step: 'recipients', label: 'Look at the rows' }
  if (/sender|from|account/.test(code)) return { step: 'authenticate', label: 'Look at the sender' }
  if (/postal|company/.test(code)) return { to: '/account', label: 'Add it to your account' }
  if (code === 'suppressed') return { to: '/contacts/suppressions', label: 'See who' }
  if (/list|recipient/.test(code)) return { step: 'recipients', label: 'Choose recipients' }
  if (/subject|name/.test(code)) return { step: 'campaign', label: 'Write the subject' }
  if (/plan|quota|limit/.test(code)) return { to: '/plan', label: 'See the plans' }
  return { step: 'template', label: 'Mend the template' }
}

function mendingOverWhatsApp(code: string): Place {
  if (/no_account|configured/.test(code)) return { step: 'authenticate', label: 'Choose the number' }
  if (/^account|tier/.test(code)) return { to: '/whatsapp-sender/numbers', label: 'See the number' }
  if (code === 'suppressed') return { to: '/contacts/suppressions', label: 'See who' }
  if (code === 'no_opt_in' || code === 'other_purpose') return { to: '/contacts', label: 'Record a consent' }
  if (/list|recipient|phone|needs_number|us_marketing/.test(code))
    return { step: 'recipients', label: 'Choose recipients' }
  if (/plan|quota|limit/.test(code)) return { to: '/plan', label: 'See the plans' }
  return { step: 'template', label: 'Mend the template' }
}
