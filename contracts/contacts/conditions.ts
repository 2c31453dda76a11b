import { z } from 'zod'
import { Id, Search } from '#contracts/values.ts'
import { ConsentPurpose } from '#contracts/whatsapp/consents.ts'
import { EventName } from './events.ts'

/**
 * Whether campaigns reach a contact by its email address, or by its phone number where it has none: unsubscribed by its own
 * wish, bounced, suppressed for another reason, or pending until it confirms a list.
 */
export const ContactStatus = z.enum(['subscribed', 'pending', 'unsubscribed', 'bounced', 'suppressed'])
export type ContactStatus = z.infer<typeof ContactStatus>

/** How a contact came into the workspace: by hand, the API, an import, a scrape, a WhatsApp message or the sample data. */
export const ContactSource = z.enum(['manual', 'api', 'import', 'collected', 'whatsapp', 'form', 'blog', 'sample'])
export type ContactSource = z.infer<typeof ContactSource>

/** A filter is nested at most so deep, and has at most so many conditions in all. */
export const MAX_DEPTH = 5
export const MAX_CONDITIONS = 50
/** Of these, so many at most ask for more than the fields of a contact: each keeps a set of contacts in memory meanwhile. */
export const MAX_LOOKUPS = 20
/** An input with more faults than this is told about the first ones. */
const MAX_FAULTS = 10

/** A custom field in a condition: `attributes.` and its name. */
export const ATTRIBUTE = 'attributes.'
/** A custom event in a condition: `event.` and its name. */
export const EVENT = 'event.'

const Text = z.string().trim().min(1, 'is required').max(200)
const Days = z.number().int().min(1).max(3_650)
const Day = z.iso.date()

const TEXT = {
  equal: Text,
  notEqual: Text,
  containing: Text,
  notContaining: Text,
  startingWith: Text,
  empty: z.undefined(),
  notEmpty: z.undefined(),
}
/** Numbers and days are compared where the value of a contact is one; days are written as 2026-01-31. */
const CUSTOM = {
  ...TEXT,
  above: z.number(),
  below: z.number(),
  atLeast: z.number(),
  atMost: z.number(),
  before: Day,
  after: Day,
  inLast: Days,
  inNext: Days,
  yearlyIn: z.number().int().min(0).max(365),
}
const DATE = { before: Day, after: Day, inLast: Days, notInLast: Days }
/** What people did elsewhere, by the events that are stored. */
const OCCURRENCE = { ever: z.undefined(), never: z.undefined(), inLast: Days, notInLast: Days }
/** What people did. `ofCampaign` includes the follow-ups of a campaign. */
const ACTIVITY = {
  ...OCCURRENCE,
  ofCampaign: Id,
  notOfCampaign: Id,
}
const equality = <T extends z.ZodType>(value: T) => ({ equal: value, notEqual: value })

/** What each field can be asked for: the value an operator takes. */
export const CONDITIONS = {
  email: TEXT,
  phone: TEXT,
  name: TEXT,
  list: equality(Id),
  tag: equality(Id),
  status: equality(ContactStatus),
  source: equality(ContactSource),
  search: { containing: Search.min(1, 'is required') },
  createdAt: DATE,
  /** When a contact became a confirmed member of any of its lists. */
  joinedAt: DATE,
  sent: ACTIVITY,
  opened: ACTIVITY,
  clicked: ACTIVITY,
  replied: ACTIVITY,
  bounced: ACTIVITY,
  clickedLink: { equal: z.url().max(2_000), notEqual: z.url().max(2_000), containing: Text, notContaining: Text },
  channel: equality(z.enum(['email', 'whatsapp'])),
  consent: equality(ConsentPurpose),
} satisfies Record<string, Record<string, z.ZodType>>

export type ConditionField = keyof typeof CONDITIONS

/** One condition: a field, an operator of it, and the value the operator takes. */
export interface Condition {
  field: string
  is: string
  value?: string | number | undefined
}
/** Contacts for which all (`and`) or any (`or`) of the items are true. */
export interface ContactFilter {
  op: 'and' | 'or'
  items: (ContactFilter | Condition)[]
}

export const isGroup = (item: ContactFilter | Condition): item is ContactFilter => 'items' in item

/** Fields that are read from the contact itself. */
const OWN_FIELDS = ['email', 'phone', 'name', 'source', 'search', 'createdAt']
/** Whether a condition on a field is asked of lists, tags, statuses or what people did. */
export const isLookup = (field: string): boolean => !field.startsWith(ATTRIBUTE) && !OWN_FIELDS.includes(field)

/** How many conditions of a filter are asked of lists, tags, statuses or what people did. */
export const countLookups = ({ items }: ContactFilter): number =>
  items.reduce((sum, item) => sum + (isGroup(item) ? countLookups(item) : Number(isLookup(item.field))), 0)

const AttributeName = /^attributes\.(?!__proto__$)[\p{L}\p{N}_ .-]{1,64}$/u

/** Whether an event may be called so: names have no spaces around them. */
const isEventName = (name: string) => EventName.safeParse(name).data === name

/** The operators of a field; undefined where there is no such field. */
export function findOperators(field: string): Record<string, z.ZodType> | undefined {
  if (AttributeName.test(field)) return CUSTOM
  if (field.startsWith(EVENT)) return isEventName(field.slice(EVENT.length)) ? OCCURRENCE : undefined
  return Object.hasOwn(CONDITIONS, field) ? CONDITIONS[field as ConditionField] : undefined
}

type Path = (string | number)[]
/** Notes a fault; returns whether more are of interest. */
type Fault = (path: Path, message: string) => void

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function checkKeys(item: Record<string, unknown>, known: string[], path: Path, fault: Fault): void {
  for (const key of Object.keys(item)) if (!known.includes(key)) fault([...path, key], 'is not a known field')
}

function checkCondition(item: Record<string, unknown>, path: Path, fault: Fault): void {
  checkKeys(item, ['field', 'is', 'value'], path, fault)
  const { field, is, value } = item
  const operators = typeof field === 'string' ? findOperators(field) : undefined
  if (!operators)
    return fault(
      [...path, 'field'],
      field === undefined
        ? 'is required'
        : `must be one of ${Object.keys(CONDITIONS).join(', ')}, ${ATTRIBUTE} and the name of a custom field, or ${EVENT} and the name of a custom event`,
    )
  const schema = typeof is === 'string' && Object.hasOwn(operators, is) ? operators[is] : undefined
  if (!schema)
    return fault(
      [...path, 'is'],
      is === undefined ? 'is required' : `must be one of ${Object.keys(operators).join(', ')}`,
    )
  if (schema instanceof z.ZodUndefined && value !== undefined)
    return fault([...path, 'value'], `is not taken by ${String(is)}`)
  const issue = schema.safeParse(value).error?.issues[0]
  if (issue) fault([...path, 'value'], value === '' ? 'is required' : issue.message)
}

/** Walks a filter from the outside in, no deeper and no longer than it may be. */
function findFaults(items: unknown[], fault: Fault): void {
  let [count, lookups] = [0, 0]
  const walk = (group: unknown[], path: Path, depth: number): void => {
    for (const [index, item] of group.entries()) {
      const at = [...path, index]
      if (count > MAX_CONDITIONS) return
      if (!isRecord(item)) fault(at, 'must be a condition or a group of conditions')
      else if ('items' in item || 'op' in item) {
        checkKeys(item, ['op', 'items'], at, fault)
        if (depth >= MAX_DEPTH) return fault(at, `is nested too deep: at most ${MAX_DEPTH} groups within one another`)
        if (item.op !== 'and' && item.op !== 'or') fault([...at, 'op'], 'must be one of and, or')
        if (!Array.isArray(item.items)) fault([...at, 'items'], 'must be a list')
        else if (item.items.length === 0) fault([...at, 'items'], 'must have at least 1 item')
        else walk(item.items, [...at, 'items'], depth + 1)
      } else {
        count++
        if (count > MAX_CONDITIONS) return fault(['items'], `must have at most ${MAX_CONDITIONS} conditions in all`)
        if (typeof item.field === 'string' && isLookup(item.field)) lookups++
        if (lookups > MAX_LOOKUPS)
          return fault(['items'], `must have at most ${MAX_LOOKUPS} conditions on lists, tags, statuses and activity`)
        checkCondition(item, at, fault)
      }
    }
  }
  walk(items, ['items'], 1)
}

const OPERATORS = [...new Set([...Object.values(CONDITIONS), CUSTOM].flatMap((operators) => Object.keys(operators)))]
const CONDITION_SHAPE = {
  type: 'object',
  properties: {
    field: {
      type: 'string',
      description: `${Object.keys(CONDITIONS).join(', ')}, ${ATTRIBUTE}NAME of a custom field, or ${EVENT}NAME of a custom event`,
    },
    is: { enum: OPERATORS },
    value: { type: ['string', 'number'] },
  },
  required: ['field', 'is'],
  additionalProperties: false,
} as const

/**
 * Contacts by their fields, lists, tags, status, and what they did, in groups of which all or any conditions are true. Without
 * items it is all contacts.
 */
export const ContactFilter = z
  .strictObject({ op: z.enum(['and', 'or']), items: z.array(z.unknown()).max(MAX_CONDITIONS) })
  .superRefine(({ items }, context) => {
    let faults = 0
    findFaults(items, (path, message) => {
      if (faults++ < MAX_FAULTS) context.addIssue({ code: 'custom', path, message })
    })
  })
  .meta({
    properties: {
      op: { enum: ['and', 'or'] },
      items: {
        type: 'array',
        maxItems: MAX_CONDITIONS,
        description: `Conditions, or groups of the same shape, at most ${MAX_DEPTH} deep`,
        items: {
          anyOf: [
            CONDITION_SHAPE,
            {
              type: 'object',
              properties: { op: { enum: ['and', 'or'] }, items: { type: 'array', minItems: 1 } },
              required: ['op', 'items'],
              additionalProperties: false,
            },
          ],
        },
      },
    },
    examples: [{ op: 'and', items: [{ field: 'status', is: 'equal', value: 'subscribed' }] }],
  }) as unknown as z.ZodType<ContactFilter, ContactFilter>
