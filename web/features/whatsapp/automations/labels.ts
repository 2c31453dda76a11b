import type { Automation, AutomationRules, Hours } from '#contracts/whatsapp/automations.ts'
import { plural } from '#web/ui/lib/format.ts'

export type AutomationKind = Automation['kind']

/** The kinds in the order they are asked, each with what it is for. */
export const kinds: { kind: AutomationKind; label: string; does: string; none: string }[] = [
  {
    kind: 'keyword',
    label: 'Keyword',
    does: 'Replies to messages that contain one of your keywords.',
    none: 'No keyword replies yet',
  },
  {
    kind: 'welcome',
    label: 'Welcome',
    does: 'Replies to the first message from a new person.',
    none: 'No welcome message yet',
  },
  {
    kind: 'away',
    label: 'Away',
    does: 'Replies outside your hours, at most once every 4 hours.',
    none: 'No away message yet',
  },
  {
    kind: 'fallback',
    label: 'Fallback',
    does: 'Replies when no other automation matches, at most once an hour.',
    none: 'No fallback reply yet. Unmatched messages wait for a person.',
  },
]

/** What a new automation says until something else is written. */
const suggestedReply: Partial<Record<AutomationKind, string>> = {
  welcome: 'Hi {{ name | default: "there" }}, thanks for your message. How can we help?',
  away: 'Thanks for your message. We are away right now and will reply on the next business day.',
  fallback: 'Thanks for your message. Someone from our team will reply soon.',
}

/** What an automation of a kind begins with. */
export function emptyRules(kind: AutomationKind, timeZone: string): AutomationRules {
  const hours: Hours = { timeZone, when: 'outside', spans: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }] }
  return {
    keywords: [],
    match: 'word',
    conditions: [],
    hours: kind === 'away' ? hours : null,
    reply: suggestedReply[kind] ?? '',
    buttons: [],
    questions: [],
    thanks: '',
    handOver: false,
  }
}

const dayNames = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
export const weekDays = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, short: dayNames[day] ?? '' }))

function daysInWords(days: number[]): string {
  const sorted = [...days].sort((a, b) => a - b)
  const [first, last] = [sorted[0], sorted.at(-1)]
  const inARow = first !== undefined && last !== undefined && last - first === sorted.length - 1
  if (inARow && sorted.length > 2) return `${dayNames[first]} to ${dayNames[last]}`
  return sorted.map((day) => dayNames[day]).join(', ')
}

/** "outside Mon to Fri 09:00–17:00, Berlin time". */
export function hoursInWords({ when, spans, timeZone }: Hours): string {
  const place = (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
  const times = spans.map(({ days, from, to }) => `${daysInWords(days)} ${from}–${to}`).join('; ')
  return `${when} ${times}, ${timeZone === 'UTC' ? 'UTC' : `${place} time`}`
}

/** When an automation replies and what it does, in one line each. */
export function rulesInWords(kind: AutomationKind, rules: AutomationRules): { when: string; does: string } {
  const when = [
    kind === 'keyword' && rules.keywords.map((word) => `“${word}”`).join(', '),
    rules.conditions.length > 0 && plural(rules.conditions.length, 'condition'),
    rules.hours && hoursInWords(rules.hours),
  ]
  const does = [
    rules.reply && 'replies',
    rules.questions.length > 0 && `asks ${plural(rules.questions.length, 'question')}`,
    rules.handOver && 'hands over to a person',
  ]
  return { when: when.filter(Boolean).join(' · '), does: does.filter(Boolean).join(', ') }
}
