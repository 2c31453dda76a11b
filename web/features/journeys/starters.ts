import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import type { JourneyDefinition, JourneyStep } from '#contracts/journeys/definition.ts'

/** A journey to begin with. */
export interface JourneyStarter {
  id: 'welcome' | 'reengage' | 'tag' | 'blank'
  name: string
  /** What it does, in a sentence. */
  does: string
  /** What the trigger asks for: its choice is made before the draft is; undefined: nothing. */
  asks?: 'list' | 'tag' | 'segment'
  /** The definition for what was chosen; null: it is chosen later. */
  build: (chosen: string | null) => JourneyDefinition
}

const email = (id: string, name: string, subject: string): JourneyStep => ({
  id,
  kind: 'email',
  name,
  subject,
  preheader: '',
  templateId: null,
  senderId: null,
  fromName: '',
  replyTo: null,
})
const days = (id: string, amount: number): JourneyStep => ({ id, kind: 'wait', amount, unit: 'days' })
const did = (field: 'opened' | 'clicked', within: number): ContactFilter => ({
  op: 'and',
  items: [{ field, is: 'inLast', value: within }],
})
const define = (trigger: JourneyDefinition['trigger'], steps: JourneyStep[]): JourneyDefinition => ({
  trigger,
  entryFilter: null,
  goal: null,
  steps,
})

/**
 * Subscribers who got emails lately and opened none. They have been here as long: who joined yesterday had no time to open
 * anything. Without an email address nobody can.
 */
export const inactiveSegment: { name: string; filter: ContactFilter } = {
  name: 'Not opened in 90 days',
  filter: {
    op: 'and',
    items: [
      { field: 'status', is: 'equal', value: 'subscribed' },
      { field: 'email', is: 'notEmpty' },
      { field: 'createdAt', is: 'notInLast', value: 90 },
      { field: 'joinedAt', is: 'notInLast', value: 90 },
      { field: 'sent', is: 'inLast', value: 90 },
      { field: 'opened', is: 'notInLast', value: 90 },
    ],
  },
}

const welcome: JourneyStarter = {
  id: 'welcome',
  name: 'Welcome series',
  does: 'Greet new subscribers, show them where to start, and follow up depending on whether they opened.',
  asks: 'list',
  build: (listId) =>
    define({ kind: 'joined_list', listId }, [
      email('email-welcome', 'Welcome', 'Welcome, {{ first_name | default: "there" }}'),
      days('wait-start', 2),
      email('email-start', 'Where to start', 'Three things to try first'),
      days('wait-open', 3),
      {
        id: 'branch-opened',
        kind: 'branch',
        filter: did('opened', 5),
        yes: [email('email-more', 'More for you', 'What others do next')],
        no: [email('email-missed', 'In case you missed it', 'In case you missed it')],
      },
    ]),
}

const reengage: JourneyStarter = {
  id: 'reengage',
  name: 'Re-engage subscribers who do not open',
  does: 'Ask inactive subscribers whether they still want your emails, and tag those who do not open.',
  asks: 'segment',
  build: (segmentId) =>
    define({ kind: 'segment', segmentId }, [
      email('email-miss', 'Still interested?', 'Do you still want to hear from us?'),
      days('wait-first', 7),
      {
        id: 'branch-first',
        kind: 'branch',
        filter: did('opened', 7),
        yes: [{ id: 'exit-back', kind: 'exit' }],
        no: [
          email('email-last', 'Last email', 'Should we stop emailing you?'),
          days('wait-last', 7),
          {
            id: 'branch-last',
            kind: 'branch',
            filter: did('opened', 7),
            yes: [{ id: 'exit-late', kind: 'exit' }],
            no: [{ id: 'tag-inactive', kind: 'tag', tagId: null }],
          },
        ],
      },
    ]),
}

const tag: JourneyStarter = {
  id: 'tag',
  name: 'Follow up on a tag',
  does: 'Email contacts a day after they get a tag, and remind those who did not click.',
  asks: 'tag',
  build: (tagId) =>
    define({ kind: 'tagged', tagId }, [
      days('wait-day', 1),
      email('email-follow-up', 'Follow-up', 'How is it going, {{ first_name | default: "there" }}?'),
      days('wait-click', 3),
      {
        id: 'branch-clicked',
        kind: 'branch',
        filter: did('clicked', 3),
        yes: [{ id: 'exit-clicked', kind: 'exit' }],
        no: [email('email-reminder', 'Reminder', 'A quick reminder')],
      },
    ]),
}

const blank: JourneyStarter = {
  id: 'blank',
  name: 'Start from scratch',
  does: 'Choose a trigger and add the steps yourself.',
  build: () => define({ kind: 'joined_list', listId: null }, []),
}

/** The journeys to begin with, the empty one last. */
export const starters: JourneyStarter[] = [welcome, reengage, tag, blank]
