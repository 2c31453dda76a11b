import { Attributes } from '#contracts/contacts/contacts.ts'
import type { DateFormat } from '#contracts/contacts/imports.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import type { FieldRule } from '../fields/values.ts'
import type { DateFormats } from './dates.ts'
import type { Mapping } from './imports-store.ts'

const BUILT_IN = new Set(['email', 'phone', 'name', 'first_name', 'last_name', 'tags'])

/** Whether columns of this field need no custom field. */
export const isBuiltIn = (field: string): boolean => BUILT_IN.has(field)

/** The guess for a file of suppressions: the column `address` of an export has email addresses, numbers and domains. */
export function withAddresses(mapping: Mapping): Mapping {
  const column = Object.keys(mapping).find((name) => plain(name) === 'address')
  const isElsewhere = Object.entries(mapping).some(([name, field]) => name !== column && isAddress(field))
  return column === undefined || isElsewhere ? mapping : { ...mapping, [column]: 'email' }
}

const isAddress = (field: string) => field === 'email' || field === 'phone'

/** The columns of addresses and numbers. */
export const onlyAddresses = (mapping: Mapping): Mapping =>
  Object.fromEntries(Object.entries(mapping).filter(([, field]) => isAddress(field)))

/** The mapping to import by: what was given, its columns found without regard to case, or else what the file suggests. */
export function chooseMapping(
  given: Record<string, string | null> | undefined,
  seen: { columns: string[]; mapping: Mapping },
): Mapping {
  const mapping = given === undefined ? seen.mapping : readMapping(given, seen.columns)
  const fields = Object.values(mapping)
  if (fields.filter((field) => field === 'email').length > 1)
    throw invalid('mapping', 'maps two columns to email; only one is allowed')
  if (fields.filter((field) => field === 'phone').length > 1)
    throw invalid('mapping', 'maps two columns to phone; only one is allowed')
  if (!fields.includes('email') && !fields.includes('phone')) {
    throw invalid('mapping', 'maps no column to email or phone; choose the one with the addresses')
  }
  return mapping
}

function readMapping(given: Record<string, string | null>, columns: string[]): Mapping {
  const mapping: Mapping = {}
  for (const [name, field] of Object.entries(given)) {
    const column = findColumn(name, columns)
    const target = (field ?? '').trim().replace(/^attributes\./, '')
    if (target === '') continue
    if (column === undefined) throw unknownColumn('mapping', name, columns)
    if (!isBuiltIn(target) && !Attributes.safeParse({ [target]: '' }).success) {
      throw invalid(
        'mapping',
        `${JSON.stringify(target)} is not a valid attribute name. Use at most 64 letters, digits, spaces, _ . -`,
      )
    }
    mapping[column] = target
  }
  return mapping
}

/**
 * How the columns for custom fields of type date are read: as given, else as the values say. A column of which neither is known is
 * not in it. Throws Refusal 400 for a column that the file does not have.
 */
export function chooseDateFormats(
  given: Record<string, DateFormat> = {},
  { columns, mapping, dateFormats }: { columns: string[]; mapping: Mapping; dateFormats: DateFormats },
  fields: ReadonlyMap<string, FieldRule>,
): Record<string, DateFormat> {
  const chosen = { ...dateFormats }
  for (const [name, format] of Object.entries(given)) {
    const column = findColumn(name, columns)
    if (column === undefined) throw unknownColumn('dateFormats', name, columns)
    chosen[column] = format
  }
  const known: Record<string, DateFormat> = {}
  for (const [column, format] of Object.entries(chosen)) {
    const field = Object.hasOwn(mapping, column) ? mapping[column] : undefined
    if (format !== null && field !== undefined && fields.get(field)?.type === 'date') known[column] = format
  }
  return known
}

/** The column of this name, or else without regard to case. */
const findColumn = (name: string, columns: string[]): string | undefined =>
  columns.find((column) => column === name) ?? columns.find((column) => plain(column) === plain(name))

const unknownColumn = (field: string, name: string, columns: string[]) =>
  invalid(
    field,
    `names the column ${JSON.stringify(name)}, which is not in the file; its columns are ${columns.slice(0, 20).join(', ')}`,
  )

const plain = (name: string) => name.normalize('NFC').trim().toLowerCase()
