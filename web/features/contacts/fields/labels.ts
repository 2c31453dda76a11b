import type { ContactField, FieldType, FieldUse } from '#contracts/contacts/fields.ts'
import { formatStoredDay } from '#web/ui/lib/format.ts'

/** The types in the order of a menu, each with what it holds. */
export const typeOptions: { value: FieldType; label: string; hint: string }[] = [
  { value: 'text', label: 'Text', hint: 'Any words' },
  { value: 'number', label: 'Number', hint: 'Such as 42 or 9.5' },
  { value: 'date', label: 'Date', hint: 'A day, such as 2026-01-31' },
  { value: 'boolean', label: 'Yes or no', hint: 'True or false' },
  { value: 'choice', label: 'Choice', hint: 'One of the values you list' },
]

/** What uses a field by its name. */
export const useLabels: Record<FieldUse['kind'], string> = {
  template: 'Template',
  block: 'Saved block',
  segment: 'Segment',
  form: 'Form',
  automation: 'Automation',
  journey: 'Journey',
  campaign: 'Campaign',
  import: 'Import',
}

export const labelType = (type: FieldType): string => typeOptions.find(({ value }) => value === type)?.label ?? type

const NAME_PARTS = new Map([
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
])

/** The name of a field for people: its label, where it is defined. */
export const labelField = (name: string, defined: readonly ContactField[]): string =>
  defined.find((field) => field.name === name)?.label ?? NAME_PARTS.get(name) ?? name

/** A value as people read it: days and yes or no by the type of their field. */
export function formatValue(value: string | number | boolean | null | undefined, type: FieldType | undefined): string {
  if (type === 'boolean' && typeof value === 'boolean') return value ? 'Yes' : 'No'
  return type === 'date' ? formatStoredDay(String(value ?? '')) : String(value ?? '')
}

/** The names of the fields of a contact in the order of their labels, the parts of the name first. */
export function sortFields(names: readonly string[], defined: readonly ContactField[]): string[] {
  const place = (name: string) => `${NAME_PARTS.has(name) ? 0 : 1} ${labelField(name, defined)}`
  return names.toSorted((a, b) => place(a).localeCompare(place(b), 'en'))
}

/** How a custom field is written in Liquid: names with spaces or dots need brackets. */
export function attributePath(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? `attributes.${name}` : `attributes["${name}"]`
}

/** How an email names the field, with its default where it has one. */
export function toMergeField({ name, default: value }: Pick<ContactField, 'name' | 'default'>): string {
  // Liquid knows no escapes in a text; one of the two quotes is free of conflict in nearly all.
  const quote = value.includes('"') ? "'" : '"'
  return value === '' || value.includes(quote)
    ? `{{ ${attributePath(name)} }}`
    : `{{ ${attributePath(name)} | default: ${quote}${value}${quote} }}`
}

/** Names of custom fields as a menu shows them, each with the merge field: defined ones by label and default, others by name. */
export const toMergeFields = (names: readonly string[], defined: readonly ContactField[]) =>
  names.map((name) => {
    const field = defined.find((one) => one.name === name)
    return { name, label: field?.label ?? name, text: toMergeField(field ?? { name, default: '' }) }
  })

/** The choices of a text with one on each line. */
export const toChoices = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
