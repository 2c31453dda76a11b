import type { Contact } from '#contracts/contacts/contacts.ts'

/** A field of two contacts before they are merged. */
export interface CombinedField {
  /** email, phone, name, or attributes. and a name. */
  field: string
  kept: string
  other: string
  /** Both have a value, and not the same: that of the other goes. */
  isConflict: boolean
}

/** A custom field; it may be called constructor. */
const findValue = ({ attributes }: Contact, name: string) =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined

const toText = (value: unknown) => (value === null || value === undefined ? '' : String(value))

/** The fields at least one of the two has, as the merge will combine them. */
export function combineFields(kept: Contact, other: Contact): CombinedField[] {
  const names = [...new Set([...Object.keys(kept.attributes), ...Object.keys(other.attributes)])]
  const pairs: [string, unknown, unknown][] = [
    ['email', kept.email, other.email],
    ['phone', kept.phone, other.phone],
    ['name', kept.name, other.name],
    ...names.map((name): [string, unknown, unknown] => [
      `attributes.${name}`,
      findValue(kept, name),
      findValue(other, name),
    ]),
  ]
  return pairs
    .map(([field, mine, theirs]) => ({ field, kept: toText(mine), other: toText(theirs) }))
    .filter((row) => row.kept !== '' || row.other !== '')
    .map((row) => ({ ...row, isConflict: row.kept !== '' && row.other !== '' && row.kept !== row.other }))
}
