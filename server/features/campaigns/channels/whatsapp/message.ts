import type { WhatsAppContent, WhatsAppValue } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import { type AttributeValue, namePart, SpliceError } from '#server/engine/index.ts'
import {
  findCountry,
  missingVariables,
  type TemplateParts,
  templateMessage,
  templateText,
} from '#server/features/whatsapp/index.ts'

/** A WhatsApp campaign's frozen content. Plain JSON: it lives in campaigns.plan. */
export interface WhatsAppPlan {
  version: 1
  accountId: string
  templateId: string
  template: TemplateParts & { category: string }
  variables: WhatsAppContent['variables']
}

/** Whom a message is for, as far as it can contain their data. */
export interface Person {
  name: string
  email: string
  phone: string | null
  /** Where they hide their number. */
  bsuid?: string | null
  attributes: Record<string, AttributeValue>
}

function readField(person: Person, field: string): string {
  if (field === 'name') return person.name
  if (field === 'first_name') {
    // Spaces are no first name, so that the name is used.
    const isStored = readField(person, 'attributes.first_name').trim() !== ''
    return namePart(isStored ? person : { name: person.name }, 'first_name') ?? ''
  }
  if (field === 'email') return person.email
  if (field === 'phone') return person.phone ?? ''
  const name = field.slice('attributes.'.length)
  return Object.hasOwn(person.attributes, name) ? String(person.attributes[name] ?? '') : ''
}

function filledBy(value: WhatsAppValue, person: Person): string {
  if (value.from === 'text') return value.text
  if (value.from === 'media') return value.mediaId
  return readField(person, value.field).trim() || value.fallback
}

/** What fills the template's variables for one person. */
export const valuesFor = (variables: WhatsAppContent['variables'], person: Person): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, filledBy(value, person)]))

/** Meta delivers no marketing to numbers of the United States (error 131049). */
export const isUndeliverable = (category: string, person: string | null): boolean =>
  category.toUpperCase() === 'MARKETING' && /^(\+1|US\.)/.test(person ?? '') && findCountry(person) === 'US'

export const NO_US =
  'WhatsApp does not deliver marketing messages to numbers in the United States, so it was not sent. A template of the category utility is delivered.'

/** The message for one person, as Meta takes it and as they read it. Throws SpliceError where a variable would be empty. */
export function messageFor(plan: WhatsAppPlan, person: Person): { message: Record<string, unknown>; text: string } {
  const { template, variables } = plan
  if (isUndeliverable(template.category, person.phone ?? person.bsuid ?? null))
    throw new SpliceError(NO_US, 'unsupported')
  const values = valuesFor(variables, person)
  const missing = missingVariables(template, values)
  if (missing.length > 0)
    throw new SpliceError(
      `No value for ${missing.join(', ')}: the contact has none, and there is no fallback.`,
      'content',
    )
  return {
    message: { type: 'template', template: templateMessage(template, values, toHeaderMedia(variables.header)) },
    text: templateText(template, values),
  }
}

/** An uploaded file in the header, in the place of an address. */
function toHeaderMedia(header: WhatsAppValue | undefined): { id: string; filename?: string } | undefined {
  if (header?.from !== 'media') return undefined
  return { id: header.mediaId, ...(header.fileName && { filename: header.fileName }) }
}
