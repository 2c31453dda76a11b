/** Journeys in words. */
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import type { JourneyStep, JourneyTrigger } from '#contracts/journeys/definition.ts'
import type { Journey, JourneyPerson } from '#contracts/journeys/journeys.ts'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import type { Names } from './names.ts'

export type StepKind = JourneyStep['kind']
type TriggerKind = JourneyTrigger['kind']
type WaitUnit = Extract<JourneyStep, { kind: 'wait' }>['unit']

/** What makes contacts enter, as a choice. */
export const triggerChoices: { value: TriggerKind; label: string; hint: string }[] = [
  {
    value: 'joined_list',
    label: 'Joins a list',
    hint: 'By a form, an import, the API or by hand. With double opt-in, once confirmed.',
  },
  { value: 'tagged', label: 'Gets a tag', hint: 'From a link, a form, an import, the API or by hand.' },
  { value: 'segment', label: 'Is in a segment', hint: 'Checked every hour. Contacts in it at activation enter too.' },
  { value: 'event', label: 'Does something', hint: 'An event your website or app sends, such as a purchase.' },
  { value: 'manual', label: 'Only when enrolled', hint: 'You choose the contacts, here or through the API.' },
]

export const stepLabels: Record<StepKind, string> = {
  email: 'Email',
  wait: 'Wait',
  branch: 'Branch',
  tag: 'Add tag',
  untag: 'Remove tag',
  add_to_list: 'Add to list',
  remove_from_list: 'Remove from list',
  set_field: 'Set field',
  exit: 'Exit',
}

/** The kinds of steps as a menu offers them, each with what it does. */
export const stepGroups: { label: string; kinds: { kind: StepKind; does: string }[] }[] = [
  {
    label: 'Message and time',
    kinds: [
      { kind: 'email', does: 'Send an email with its own report' },
      { kind: 'wait', does: 'Minutes, hours or days' },
    ],
  },
  {
    label: 'Decide',
    kinds: [
      { kind: 'branch', does: 'Split contacts by a filter' },
      { kind: 'exit', does: 'Leave the journey here' },
    ],
  },
  {
    label: 'Change the contact',
    kinds: [
      { kind: 'tag', does: 'Add a tag to the contact' },
      { kind: 'untag', does: 'Remove a tag from the contact' },
      { kind: 'add_to_list', does: 'Add the contact to a list' },
      { kind: 'remove_from_list', does: 'Remove the contact from a list' },
      { kind: 'set_field', does: 'Fill or clear custom fields' },
    ],
  },
]

const units: Record<WaitUnit, string> = { minutes: 'minute', hours: 'hour', days: 'day' }
export const formatWait = (amount: number, unit: WaitUnit): string => plural(amount, units[unit])

/** The trigger as the head of its card. */
export function describeTrigger(trigger: JourneyTrigger, names: Names): string {
  switch (trigger.kind) {
    case 'manual':
      return 'Contacts you enroll'
    case 'joined_list':
      return trigger.listId === null ? 'Joins a list' : `Joins the list ${names.list(trigger.listId)}`
    case 'tagged':
      return trigger.tagId === null ? 'Gets a tag' : `Gets the tag ${names.tag(trigger.tagId)}`
    case 'event':
      return trigger.name === null ? 'Does something' : `Event “${trigger.name}”`
    case 'segment':
      return trigger.segmentId === null ? 'Is in a segment' : `Is in the segment ${names.segment(trigger.segmentId)}`
  }
}

const toText = (value: string | number | boolean | null) => (value === null ? 'empty' : String(value))

/** A filter in words; nothing for one without conditions. */
export const filterInWords = (filter: ContactFilter | null, names: Names): string =>
  filter && filter.items.length > 0 ? names.filter(filter) : ''

/** A step as its card shows it: what it does, and the particulars. */
export function describeStep(step: JourneyStep, names: Names): { title: string; detail: string } {
  switch (step.kind) {
    case 'email':
      return {
        title: step.name,
        detail: step.subject || (step.templateId === null ? 'No subject yet' : 'Subject of the template'),
      }
    case 'wait':
      return { title: `Wait ${formatWait(step.amount, step.unit)}`, detail: '' }
    case 'branch':
      return { title: 'Branch', detail: filterInWords(step.filter, names) || 'No condition yet' }
    case 'tag':
    case 'untag':
      return { title: stepLabels[step.kind], detail: step.tagId === null ? 'No tag chosen yet' : names.tag(step.tagId) }
    case 'add_to_list':
    case 'remove_from_list':
      return {
        title: stepLabels[step.kind],
        detail: step.listId === null ? 'No list chosen yet' : names.list(step.listId),
      }
    case 'set_field': {
      const fields = Object.entries(step.attributes).map(([name, value]) => `${names.field(name)}: ${toText(value)}`)
      return { title: stepLabels.set_field, detail: fields.join(', ') || 'No field chosen yet' }
    }
    case 'exit':
      return { title: 'Exit', detail: 'Leaves the journey' }
  }
}

/** What a screen reader and a filter call a step: "Email: Welcome". */
export function nameStep(step: JourneyStep, names: Names): string {
  const { title, detail } = describeStep(step, names)
  if (step.kind === 'email') return `Email: ${title}`
  return detail === '' || step.kind === 'exit' ? title : `${title}: ${detail}`
}

export const personStates: { value: JourneyPerson['state']; label: string }[] = [
  { value: 'active', label: 'In the journey' },
  { value: 'done', label: 'Completed' },
  { value: 'goal', label: 'Reached the goal' },
  { value: 'exited', label: 'Left' },
]

/** What became of the emails of a step, each in a few words; what is rare is said where there is some of it. */
export function describeResults({
  counts,
  opened,
  clicked,
}: Pick<Campaign, 'counts' | 'opened' | 'clicked'>): string[] {
  const { sent, bounced, failed, unconfirmed, suppressed } = counts
  return [
    `${formatNumber(sent)} accepted`,
    `${formatNumber(opened)} opened`,
    `${formatNumber(clicked)} clicked`,
    ...(bounced > 0 ? [`${formatNumber(bounced)} bounced`] : []),
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
    ...(unconfirmed > 0 ? [`${formatNumber(unconfirmed)} unconfirmed`] : []),
    ...(suppressed > 0 ? [`${formatNumber(suppressed)} skipped`] : []),
  ]
}

/** What will happen when a journey is activated, each in a sentence. */
export function describeActivation({ state, definition, active }: Journey, names: Names): string[] {
  const { trigger, entryFilter } = definition
  const goesOn =
    state === 'paused' && active > 0
      ? [
          `${plural(active, 'contact continues', 'contacts continue')} from where they are. Waits that are over end at once.`,
        ]
      : []
  const enters: Record<TriggerKind, string> = {
    manual: 'Contacts enter when you enroll them.',
    joined_list: `Contacts who join ${trigger.kind === 'joined_list' && trigger.listId ? names.list(trigger.listId) : 'the list'} from now on enter. Contacts already on it do not, but you can enroll them.`,
    tagged: `Contacts who get the tag ${trigger.kind === 'tagged' && trigger.tagId ? names.tag(trigger.tagId) : ''} from now on enter. Contacts who already have it do not, but you can enroll them.`,
    event: 'Contacts enter when the event is recorded for them from now on.',
    segment: 'Contacts in the segment enter within the hour. Contacts who match it later enter then.',
  }
  return [
    ...goesOn,
    enters[trigger.kind],
    ...(entryFilter ? ['Only contacts who match the entry filter enter.'] : []),
    'No one enters twice. Suppressed and unsubscribed contacts get no email.',
  ]
}
