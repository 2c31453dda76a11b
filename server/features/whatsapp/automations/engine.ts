import type { z } from 'zod'
import type { AutomationRules, Condition } from '#contracts/whatsapp/automations.ts'
import { type AttributeValue, namePart } from '#server/engine/index.ts'
import { beginFlow, continueFlow, type FlowState, type Saying } from './flow.ts'
import { isDue } from './hours.ts'

/** An automation as the engine sees it. */
export interface Automatic {
  id: string
  kind: 'keyword' | 'welcome' | 'away' | 'fallback'
  name: string
  rules: AutomationRules
}

export interface KnownContact {
  name: string
  email: string | null
  phone: string | null
  attributes: Record<string, AttributeValue>
  lists: string[]
}

/** What is known when a person writes. */
export interface Talk {
  text: string
  payload: string
  at: Date
  contact: KnownContact | null
  /** The name the person chose. */
  profileName: string
  isFirst: boolean
  isHeld: boolean
  flow: FlowState | null
  /** What answered by itself here in the last 24 hours, and when. */
  recent: { automationId: string | null; at: Date }[]
}

export interface Decision {
  automation: Automatic | null
  says: Saying[]
  flow: FlowState | null
  fields: Record<string, string>
  handOver: boolean
  /** In words: why this automation replies, or why none does. */
  why: string
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Automatic replies one conversation gets: two machines that talk to each other come to rest, and a person takes over. */
export const MAX_REPLIES_PER_HOUR = 15
export const MAX_REPLIES_PER_DAY = 60
/** How long away and fallback keep quiet after they answered. */
const QUIET: Partial<Record<Automatic['kind'], number>> = { away: 4 * HOUR, fallback: HOUR }

const bare = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** Whether a message holds one of the words, whole: “offer” is not in “coffers”. */
export function matches(
  { keywords, match }: Pick<AutomationRules, 'keywords' | 'match'>,
  text: string,
): string | undefined {
  const said = ` ${bare(text)} `
  return keywords.find((keyword) => {
    const word = ` ${bare(keyword)} `
    if (word.trim() === '') return false
    if (match === 'exact') return said === word
    return match === 'starts' ? said.startsWith(word) : said.includes(word)
  })
}

function valueOfField(field: string, contact: KnownContact | null): string | null {
  if (!contact) return null
  if (field === 'name' || field === 'email' || field === 'phone') return contact[field] || null
  const attribute = field.startsWith('attributes.') ? contact.attributes[field.slice(11)] : undefined
  return attribute === undefined || attribute === null ? null : String(attribute)
}

function holds({ field, is, value }: z.infer<typeof Condition>, contact: KnownContact | null): boolean {
  if (field === 'list') {
    const isMember = contact?.lists.includes(value) === true
    return is === 'not_equals' || is === 'not_set' ? !isMember : isMember
  }
  const known = valueOfField(field, contact)
  switch (is) {
    case 'set':
      return known !== null
    case 'not_set':
      return known === null
    case 'equals':
      return known?.toLowerCase() === value.toLowerCase()
    case 'not_equals':
      return known?.toLowerCase() !== value.toLowerCase()
    default:
      return known?.toLowerCase().includes(value.toLowerCase()) === true
  }
}

/** Spaces stand within a name and around it, in one place each, so that a long run of them is read once. */
const VARIABLE =
  /\{\{\s*(\w+(?:\.(?: *[\p{L}\p{N}_-]+(?: +[\p{L}\p{N}_-]+)*| ))?)\s*(?:\|\s*default:\s*["“]([^"”]*)["”]\s*)?\}\}/gu

/** Characters Meta takes in a text, and in one with buttons or a list. */
const MAX_LENGTH = 4_096
const MAX_WITH_BUTTONS = 1_024

/** A saying with its variables filled; cut short where what stands in them made it longer than Meta takes. */
function filled({ text, buttons }: Saying, talk: Talk): Saying {
  const whole = fill(text, talk)
  const most = buttons.length > 0 ? MAX_WITH_BUTTONS : MAX_LENGTH
  // Never within a character of two halves.
  const cut = whole.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')
  return { text: whole.length > most ? `${cut}…` : whole, buttons }
}

/** Fills `{{ name | default: "there" }}` and the like; a variable without value and default stays empty. */
export function fill(text: string, talk: Pick<Talk, 'contact' | 'profileName'>): string {
  const { contact, profileName } = talk
  const whole = { name: contact?.name || profileName, attributes: contact?.attributes ?? {} }
  return text.replaceAll(VARIABLE, (_, field: string, otherwise: string | undefined) => {
    const known =
      field === 'first_name' || field === 'last_name'
        ? namePart(whole, field)
        : (valueOfField(field, contact) ?? (field === 'name' ? profileName || null : null))
    return known ?? otherwise ?? ''
  })
}

const nothing = (why: string, flow: FlowState | null = null): Decision => ({
  automation: null,
  says: [],
  flow,
  fields: {},
  handOver: false,
  why,
})

function quietWhy(automation: Automatic, { recent, at }: Talk): string | undefined {
  const quiet = QUIET[automation.kind]
  const last = recent.filter((one) => one.automationId === automation.id).map((one) => one.at.getTime())
  return quiet !== undefined && last.some((time) => time > at.getTime() - quiet)
    ? `“${automation.name}” replied a moment ago.`
    : undefined
}

/** Why an automation replies to this message; undefined where it does not. */
function findReason(automation: Automatic, talk: Talk): string | undefined {
  const { kind, rules } = automation
  if (
    !isDue(talk.at, rules.hours) ||
    !rules.conditions.every((one) => holds(one, talk.contact)) ||
    quietWhy(automation, talk)
  )
    return undefined
  const word = kind === 'keyword' ? (matches(rules, talk.text) ?? matches(rules, talk.payload)) : undefined
  if (kind === 'keyword') return word && `The message has the word “${word}”.`
  if (kind === 'welcome') return talk.isFirst ? 'It is this person’s first message.' : undefined
  return kind === 'away' ? 'It arrived outside your hours.' : 'No other automation replies.'
}

const ORDER = ['keyword', 'welcome', 'away', 'fallback'] as const

function decideReply(automation: Automatic, talk: Talk, why: string): Decision {
  const { rules } = automation
  const said = rules.reply ? [{ text: rules.reply, buttons: rules.questions.length > 0 ? [] : rules.buttons }] : []
  const { says, flow } = beginFlow(automation.id, rules)
  const all = [...said, ...says].map((one) => filled(one, talk))
  return { automation, says: all, flow, fields: {}, handOver: rules.handOver && flow === null, why }
}

/**
 * The automatic reply to a message: of one automation at most, with a bounded number of replies per hour and day, so that
 * no loop is possible. `automations` are the active ones of the number, in their order.
 */
export function decide(automations: Automatic[], talk: Talk): Decision {
  if (talk.isHeld) return nothing('A person took over: no automation replies.')
  const within = (ms: number) => talk.recent.filter((one) => one.at.getTime() > talk.at.getTime() - ms).length
  if (within(HOUR) >= MAX_REPLIES_PER_HOUR || within(24 * HOUR) >= MAX_REPLIES_PER_DAY)
    return {
      ...nothing('Too many automatic replies were sent, which looks like a loop: a person takes over.'),
      handOver: true,
    }
  const keywords = automations.filter(({ kind }) => kind === 'keyword')
  // In the middle of questions only a word that calls for a person gets through.
  const call = talk.flow
    ? keywords.find((one) => one.rules.handOver && one.rules.questions.length === 0 && findReason(one, talk))
    : undefined
  if (call) return decideReply(call, talk, `The message asks for a person (“${call.name}”).`)
  const running = talk.flow && automations.find(({ id }) => id === talk.flow?.automationId)
  if (talk.flow && running) {
    const { why, says, ...step } = continueFlow(
      talk.flow,
      running.rules,
      talk.payload && talk.text ? talk.text : talk.text || talk.payload,
    )
    return { automation: running, says: says.map((one) => filled(one, talk)), ...step, why }
  }
  for (const kind of ORDER)
    for (const automation of automations) {
      if (automation.kind !== kind) continue
      const why = findReason(automation, talk)
      if (why) return decideReply(automation, talk, why)
    }
  return nothing('No automation replies to this.')
}
