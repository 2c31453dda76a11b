import type { WhatsAppContent, WhatsAppValue } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import type { Contact } from '#contracts/contacts/contacts.ts'
import type { WhatsAppTemplate } from '#contracts/whatsapp/templates.ts'

/** A contact's field as the server reads it; undefined where they have none. */
function readField(field: string, contact: Contact | undefined): string | undefined {
  if (!contact) return undefined
  if (field === 'name' || field === 'email' || field === 'phone') return contact[field]?.trim() || undefined
  const value = String(contact.attributes[field.replace(/^attributes\./, '')] ?? '').trim()
  if (value !== '') return value
  return field === 'first_name' ? contact.name.trim().split(/\s+/)[0] || undefined : undefined
}

/** What stands in one variable for a contact; undefined where it would be empty. */
function shown(value: WhatsAppValue | undefined, contact: Contact | undefined): string | undefined {
  if (!value) return undefined
  if (value.from === 'text') return value.text || undefined
  if (value.from === 'media') return value.fileName || 'file'
  return readField(value.field, contact) ?? (value.fallback || undefined)
}

/** A template's variables as one contact reads them; those with nothing in them keep their braces. */
export function valuesFor(
  template: WhatsAppTemplate,
  variables: WhatsAppContent['variables'],
  contact: Contact | undefined,
): Record<string, string> {
  const all: Record<string, string> = {}
  for (const { key } of template.variables) {
    const value = shown(variables[key], contact)
    if (value !== undefined) all[key] = value
  }
  return all
}

/** The contact's fields a variable can be filled with, with what they are called. */
export const contactFields = (
  attributes: string[],
  findLabel: (name: string) => string | undefined,
): { field: string; label: string }[] => [
  { field: 'first_name', label: 'First name' },
  { field: 'name', label: 'Name' },
  { field: 'email', label: 'Email address' },
  { field: 'phone', label: 'Phone number' },
  // The first name stands above, whether it is stored or read from the name.
  ...attributes
    .filter((name) => name !== 'first_name')
    .map((name) => ({ field: `attributes.${name}`, label: findLabel(name) ?? name })),
]
