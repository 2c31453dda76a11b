/** Conditions in words, and what a person enters for each. */
import {
  ATTRIBUTE,
  CONDITIONS,
  type ConditionField,
  ContactSource,
  ContactStatus,
  EVENT,
  findOperators,
} from '#contracts/contacts/conditions.ts'
import type { ContactField, FieldType } from '#contracts/contacts/fields.ts'
import { ConsentPurpose } from '#contracts/whatsapp/consents.ts'
import { sourceLabels, statusLabels } from '../labels.ts'

/** What is entered: nothing, a text, a URL, a number, a number of days, a day, or one of a list. */
export type ValueKind = 'none' | 'text' | 'url' | 'number' | 'days' | 'day' | 'list' | 'tag' | 'campaign' | 'choice'

const fieldLabels: Record<ConditionField, string> = {
  email: 'Email',
  phone: 'Phone number',
  name: 'Name',
  status: 'Status',
  source: 'Source',
  createdAt: 'Added',
  joinedAt: 'Joined a list',
  search: 'Email, name or phone',
  list: 'List',
  tag: 'Tag',
  sent: 'Was sent a campaign',
  opened: 'Opened a campaign',
  clicked: 'Clicked a link',
  replied: 'Replied',
  bounced: 'Bounced',
  clickedLink: 'Link they clicked',
  channel: 'Can be reached by',
  consent: 'WhatsApp consent',
}

/** The fields as a menu shows them. */
export const fieldGroups: { label: string; fields: ConditionField[] }[] = [
  { label: 'Contact', fields: ['email', 'name', 'phone', 'search', 'status', 'source', 'createdAt'] },
  { label: 'Lists and tags', fields: ['list', 'joinedAt', 'tag'] },
  { label: 'Activity', fields: ['sent', 'opened', 'clicked', 'clickedLink', 'replied', 'bounced'] },
  { label: 'Channels', fields: ['channel', 'consent'] },
]

const operatorLabels: Record<string, string> = {
  equal: 'is',
  notEqual: 'is not',
  containing: 'contains',
  notContaining: 'does not contain',
  startingWith: 'starts with',
  empty: 'is empty',
  notEmpty: 'is not empty',
  above: 'is more than',
  below: 'is less than',
  atLeast: 'is at least',
  atMost: 'is at most',
  before: 'before',
  after: 'after',
  inLast: 'in the last',
  notInLast: 'not in the last',
  inNext: 'in the next',
  yearlyIn: 'has its anniversary in the next',
  ever: 'at any time',
  never: 'never',
  ofCampaign: 'in the campaign',
  notOfCampaign: 'not in the campaign',
}

const choices: Partial<Record<string, { value: string; label: string }[]>> = {
  status: ContactStatus.options.map((value) => ({ value, label: statusLabels[value] })),
  source: ContactSource.options.map((value) => ({ value, label: sourceLabels[value] })),
  channel: [
    { value: 'email', label: 'Email' },
    { value: 'whatsapp', label: 'WhatsApp' },
  ],
  consent: ConsentPurpose.options.map((value) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) })),
}

/** The label of a field; a custom event, and a custom field without one, is called by its name. */
export function labelField(field: string, custom?: ContactField): string {
  if (field.startsWith(ATTRIBUTE)) return custom?.label ?? field.slice(ATTRIBUTE.length)
  return field.startsWith(EVENT) ? field.slice(EVENT.length) : (fieldLabels[field as ConditionField] ?? field)
}

/** What a custom field of a type is asked for; a text may hold anything. */
const typeOperators: Partial<Record<FieldType, string[]>> = {
  number: ['equal', 'notEqual', 'above', 'below', 'atLeast', 'atMost', 'empty', 'notEmpty'],
  date: ['equal', 'before', 'after', 'inLast', 'inNext', 'yearlyIn', 'empty', 'notEmpty'],
  boolean: ['equal', 'notEqual', 'empty', 'notEmpty'],
  choice: ['equal', 'notEqual', 'empty', 'notEmpty'],
}

/** The operators of a field with their labels; `is` is among them, whatever the type is now. */
export function labelOperators(field: string, type?: FieldType, is?: string): { value: string; label: string }[] {
  const fitting = type && typeOperators[type]
  return Object.keys(findOperators(field) ?? {})
    .filter((value) => !fitting || fitting.includes(value) || value === is)
    .map((value) => ({ value, label: operatorLabels[value] ?? value }))
}

const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** The values a field has to choose from; empty where it has other ones. */
export function findChoices(field: string, custom?: ContactField): { value: string; label: string }[] {
  if (custom?.type === 'boolean') return YES_OR_NO
  return custom ? custom.choices.map((value) => ({ value, label: value })) : (choices[field] ?? [])
}

const operatorKinds: Partial<Record<string, ValueKind>> = {
  empty: 'none',
  notEmpty: 'none',
  ever: 'none',
  never: 'none',
  inLast: 'days',
  notInLast: 'days',
  inNext: 'days',
  yearlyIn: 'days',
  before: 'day',
  after: 'day',
  above: 'number',
  below: 'number',
  atLeast: 'number',
  atMost: 'number',
  ofCampaign: 'campaign',
  notOfCampaign: 'campaign',
}

/** What a person enters for an operator of a field. */
export function findValueKind(field: string, is: string, type?: FieldType): ValueKind {
  const kind = operatorKinds[is]
  if (kind) return kind
  if ((type === 'choice' || type === 'boolean') && (is === 'equal' || is === 'notEqual')) return 'choice'
  if (type === 'date' && is === 'equal') return 'day'
  if (field === 'list' || field === 'tag') return field
  if (choices[field]) return 'choice'
  return field === 'clickedLink' && (is === 'equal' || is === 'notEqual') ? 'url' : 'text'
}

export const isKnownField = (field: string): boolean =>
  field.startsWith(ATTRIBUTE) || field.startsWith(EVENT) || Object.hasOwn(CONDITIONS, field)
