import type { Sender } from '#contracts/senders/senders.ts'
import type { Step } from '#web/ui/layout/stepper.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { hoursInWords } from '../hours-labels.ts'
import type { WizardChoices } from './choices.ts'

/** Every question a wizard may ask; which of them and in which order says the channel. */
export type StepId = 'authenticate' | 'template' | 'recipients' | 'campaign' | 'followups' | 'hours' | 'send'

/** Where something is fixed: a step of the wizard, or a page. */
export type FixPlace = { step: StepId; label: string } | { to: string; label: string }

/** What the names behind the chosen ids are, and how many. */
interface ChosenNames {
  senders: Pick<Sender, 'fromEmail'>[]
  templateName: string | undefined
  listNames: string[]
  people: number | undefined
  followUps: number
}

export type WizardStep = Step & { id: StepId }

/** A wizard's steps with what was chosen in each. */
export function buildSteps(ids: readonly StepId[], choices: WizardChoices, names: ChosenNames): WizardStep[] {
  const hasContent = choices.templateId !== null || choices.html !== ''
  const all: Record<StepId, Omit<Step, 'id'>> = {
    authenticate: {
      label: 'Authenticate',
      summary: names.senders.length > 1 ? plural(names.senders.length, 'account') : names.senders[0]?.fromEmail,
      done: choices.senderId !== null || choices.senderIds.length > 0,
    },
    template: {
      label: 'Upload template',
      summary: hasContent ? (names.templateName ?? 'Uses its own text') : undefined,
      done: hasContent,
    },
    recipients: {
      label: 'Upload recipients',
      summary:
        choices.listIds.length > 0
          ? `${names.listNames.join(', ')}${names.people === undefined ? '' : ` (${formatNumber(names.people)})`}`
          : undefined,
      done: choices.listIds.length > 0,
    },
    campaign: {
      label: 'Create campaign',
      summary: choices.subject || undefined,
      done: choices.name.trim() !== '' && choices.subject.trim() !== '',
    },
    followups: {
      label: 'Follow-ups',
      summary: names.followUps > 0 ? plural(names.followUps, 'follow-up') : 'none',
      done: true,
    },
    hours: { label: 'Sending hours', summary: hoursInWords(choices), done: true },
    send: { label: 'Send', done: false },
  }
  return opened(ids.map((id) => ({ id, ...all[id] })))
}

/** Steps of which those can be opened that are answered, and the first that is not. */
export function opened(steps: WizardStep[]): WizardStep[] {
  const ready = steps.findIndex((step) => !step.done)
  return steps.map((step, index) => ({ ...step, open: index <= ready }))
}
