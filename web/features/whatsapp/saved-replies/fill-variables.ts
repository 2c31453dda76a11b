/** Whom a reply is written to, as far as it is known. */
export interface ReplyPerson {
  name: string
  phone: string | null
  email?: string | null | undefined
  attributes?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

/** What can be typed between braces, for hints. */
export const variableNames = ['first_name', 'last_name', 'name', 'phone', 'email', 'attributes.company'] as const

function findValue(person: ReplyPerson, path: string): string {
  const attributes = person.attributes ?? {}
  const readStored = (field: string) => (Object.hasOwn(attributes, field) ? String(attributes[field] ?? '') : '')
  // As in emails: what is stored under it, or else the first word of the name and the rest.
  const [first = '', ...rest] = person.name.trim().split(/\s+/)
  const known: Record<string, string | null | undefined> = {
    name: person.name,
    first_name: readStored('first_name') || first,
    last_name: readStored('last_name') || rest.join(' '),
    phone: person.phone,
    email: person.email,
  }
  return Object.hasOwn(known, path) ? (known[path] ?? '') : readStored(path.replace(/^attributes\./, ''))
}

/**
 * The text with its variables filled in: `{{ first_name }}`, `{{ attributes.company | default: "your company" }}`. One
 * without a value leaves its default, or nothing.
 */
export function fillVariables(text: string, person: ReplyPerson): string {
  return text.replace(
    /\{\{\s*([\p{L}\d_.-]+)\s*(?:\|\s*default:\s*(?:"([^"]*)"|'([^']*)')\s*)?\}\}/gu,
    (_, path: string, double?: string, single?: string) => findValue(person, path) || (double ?? single ?? ''),
  )
}
