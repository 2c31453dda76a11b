import { NewTemplate } from '#contracts/whatsapp/templates.ts'
import { sentence } from '#web/forms.ts'
import { type Draft, toNewTemplate, variablesIn } from './template-draft.ts'

/** What is wrong, by the field it stands at: `name`, `body`, `examples.first_name`, `buttons.0`, `buttons.0.target`, `root`. */
export type Faults = Record<string, string>

const labels: Record<string, string> = {
  accountId: 'The number',
  name: 'The name',
  language: 'The language',
  header: 'The header',
  body: 'The text',
  examples: 'The example',
  footer: 'The footer',
  buttons: 'The button',
}

/** Where a button leads. */
const targets: Record<string, string> = { url: 'The URL', phone: 'The phone number' }

/** The place of a fault in the form, from the path the contract or the server names. */
function findFieldPlace(path: string): string {
  const [first = 'root', second, third = ''] = path.split('.')
  if (first === 'buttons' && third in targets) return `buttons.${second}.target`
  if (first === 'buttons' && third === 'example') return `buttons.${second}.example`
  if (first === 'header' && second === 'example') return 'headerExample'
  if (first === 'header' && second === 'handle') return 'sample'
  if ((first === 'examples' || first === 'buttons') && second !== undefined) return `${first}.${second}`
  return first in labels ? first : 'root'
}

/** A fault the server or the contract names, at its field and as a sentence. */
export function faultAt(path: string, message: string): [string, string] {
  const place = findFieldPlace(path)
  // Several buttons share what is said of all.
  if (place === 'sample') return [place, 'Choose a file for Meta’s reviewers.']
  const [first = '', , third = ''] = path.split('.')
  const label = path === 'buttons' ? 'Buttons' : path === 'examples' ? 'Examples' : (targets[third] ?? labels[first])
  return [place, sentence(label ?? 'This', message) ?? message]
}

/** What can be known before Meta is asked. The server checks all of it again, and more. */
export function findFaults(draft: Draft): Faults {
  const faults: Faults = {}
  const checked = NewTemplate.safeParse(toNewTemplate(draft))
  for (const issue of checked.error?.issues ?? []) {
    const [place, text] = faultAt(issue.path.join('.'), issue.message)
    faults[place] ??= text
  }
  for (const variable of variablesIn(draft.body))
    if (!draft.examples[variable]?.trim()) faults[`examples.${variable}`] ??= 'Enter an example for Meta’s reviewers.'
  if (draft.headerKind === 'text' && variablesIn(draft.header).length > 0 && !draft.headerExample.trim())
    faults.headerExample ??= 'Enter an example for Meta’s reviewers.'
  return faults
}
