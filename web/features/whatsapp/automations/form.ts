import { ApiError } from '#contracts/client.ts'
import type { AutomationRules } from '#contracts/whatsapp/automations.ts'
import { errorMessage } from '#web/api.ts'
import { sentence } from '#web/forms.ts'

/** What is wrong, by the field's path without `rules.`: `keywords`, `questions.0.choices`; `root` for the whole form. */
export type Errors = Record<string, string>

export interface RulesProps {
  rules: AutomationRules
  errors: Errors
  onChange: (changes: Partial<AutomationRules>) => void
}

const labels: [RegExp, string][] = [
  [/^name$/, 'The name'],
  [/^keywords/, 'The keywords'],
  [/^hours\.spans/, 'The times'],
  [/^hours\.timeZone$/, 'The time zone'],
  [/^hours/, 'Hours'],
  [/^conditions/, 'The condition'],
  [/^reply$/, 'A reply'],
  [/^buttons/, 'Buttons'],
  [/choices/, 'Choices'],
  [/\.ask$/, 'The question'],
  [/\.field$/, 'The field'],
]

/** Which part of the form shows what a path names: lists of texts show what is wrong with any of them. */
const shownAt = (path: string) =>
  path
    .replace(/^(keywords|buttons)\.\d+$/, '$1')
    .replace(/^(questions\.\d+\.choices)\.\d+$/, '$1')
    .replace(/^hours\.spans.*$/, 'hours')
    .replace(/^(conditions\.\d+)\..*$/, '$1')

/** A refusal as errors of the form's fields. */
export function toFormErrors(error: unknown): Errors {
  const details = error instanceof ApiError ? error.details : []
  const errors: Errors = {}
  for (const { field = '', message } of details) {
    const path = shownAt(field.replace(/^rules\./, ''))
    const label = labels.find(([pattern]) => pattern.test(path))?.[1] ?? 'This'
    errors[path] ??= sentence(label, message) ?? message
  }
  return details.length > 0 ? errors : { root: errorMessage(error) }
}

/** A contact's field in words: "attributes.company" is "company". */
export function fieldName(field: string): string {
  const known: Record<string, string> = { name: 'Name', email: 'Email address', phone: 'Phone number', list: 'List' }
  return known[field] ?? field.replace(/^attributes\./, '')
}
