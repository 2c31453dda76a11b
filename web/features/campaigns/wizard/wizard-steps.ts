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
  /** Of the lists and segments it goes to. */
  audienceNames: string[]
  people: number | undefined
  followUps: number
  /** The first follow-up without a text, 1 for the first of all; undefined: each has one. */
  emptyFollowUp?: number | undefined
}

/** A step; `missing`: why one cannot go on from it, undefined where one can. */
export type WizardStep = Step & { id: StepId; missing?: string | undefined }

type OwnStep = Omit<WizardStep, 'id' | 'done'>

/**
 * A wizard's steps with what was chosen in each. `seen`: which of them were opened; a step that asks for nothing is done only
 * once it was.
 */
export function buildSteps(
  ids: readonly StepId[],
  choices: WizardChoices,
  names: ChosenNames,
  seen: ReadonlySet<StepId> = new Set(ids),
): WizardStep[] {
  const hasAudience = choices.listIds.length + choices.segmentIds.length > 0
  const hasContent = choices.templateId !== null || choices.html !== ''
  const all: Record<StepId, OwnStep> = {
    authenticate: {
      label: 'Authenticate',
      subtitle: 'Choose a sender',
      summary: names.senders.length > 1 ? plural(names.senders.length, 'account') : names.senders[0]?.fromEmail,
      missing: choices.senderId !== null || choices.senderIds.length > 0 ? undefined : 'Choose a sender to continue.',
    },
    template: {
      label: 'Upload template',
      subtitle: 'Choose or upload an email',
      summary: choices.templateId !== null ? names.templateName : choices.html !== '' ? 'Uses its own text' : undefined,
      missing: hasContent ? undefined : 'Choose a template to continue.',
    },
    recipients: {
      label: 'Upload recipients',
      subtitle: 'Choose lists and segments',
      summary: hasAudience
        ? `${names.audienceNames.join(', ')}${names.people === undefined ? '' : ` (${formatNumber(names.people)})`}`
        : undefined,
      missing: hasAudience ? undefined : 'Choose at least one list or segment to continue.',
    },
    campaign: {
      label: 'Create campaign',
      subtitle: 'Subject and tracking',
      summary: choices.subject || undefined,
      missing:
        choices.subject.trim() === ''
          ? 'Enter a subject to continue.'
          : choices.name.trim() === ''
            ? 'Enter a campaign name to continue.'
            : undefined,
    },
    followups: {
      label: 'Follow-ups',
      subtitle: 'Optional',
      summary: names.followUps > 0 ? plural(names.followUps, 'follow-up') : seen.has('followups') ? 'None' : undefined,
      missing:
        names.emptyFollowUp === undefined
          ? undefined
          : `Write follow-up ${names.emptyFollowUp} or remove it to continue.`,
    },
    hours: {
      label: 'Sending hours',
      subtitle: 'When emails may be sent',
      summary: seen.has('hours') ? hoursInWords(choices) : undefined,
    },
    send: { label: 'Send', subtitle: 'Review and send' },
  }
  return opened(
    ids.map((id) => {
      const asksNothing = id === 'followups' || id === 'hours'
      return { id, ...all[id], done: id !== 'send' && !all[id].missing && (!asksNothing || seen.has(id)) }
    }),
  )
}

/** Steps of which those can be opened that are answered, and the first that is not. */
export function opened(steps: WizardStep[]): WizardStep[] {
  const ready = steps.findIndex((step) => !step.done)
  return steps.map((step, index) => ({ ...step, open: index <= ready }))
}
