import type { DateFormat } from '#contracts/contacts/imports.ts'
import { TagName } from '#contracts/contacts/tags.ts'
import { restore } from '#server/platform/csv.ts'
import { normalizeEmail, normalizePhone } from '../address.ts'
import { describeFault, type FieldRule, type FieldValue, readFieldValue } from '../fields/values.ts'
import { readDomainKey } from '../suppressions/email-keys.ts'
import { type DateFormats, isOfUnknownOrder, toDay } from './dates.ts'
import type { FileRow } from './file/refusal.ts'
import type { BadRow, ImportRow, Keep, Mapping, Ready } from './imports-store.ts'

const MAX_NAME_LENGTH = 200
const MAX_ROW_TAGS = 50
const MAX_ATTRIBUTE_LENGTH = 5_000
const LINE_SHOWN = 500
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what neither a name nor the database can hold
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
/** A cell that is taken as it is: nothing to restore, to clean or to trim. Nearly all are, and one look is cheaper than three. */
const SOUND = /^[^\s'\p{Cc}\p{Cs}](?:[^\p{Cc}\p{Cs}]*[^\s\p{Cc}\p{Cs}])?$/u
/** White space that is not a single blank. */
const LOOSE = /\s\s|[^\S ]/
const NO_TAGS: string[] = []
const NO_FAULTS: string[] = []

interface Column {
  at: number
  field: string
  heading: string
  /** What decides about the values of a custom field. */
  rule: FieldRule | undefined
  dateFormat: DateFormat | null
}

/** What of a file one portion gives. `rows` counts what was read, bad rows included. */
export interface Portion {
  rows: number
  ready: Ready[]
  bad: BadRow[]
  /** Rows that are imported without a date that cannot be read. */
  undated: BadRow[]
  /** Dates that cannot be read. */
  invalidDates: number
  /** Rows with the address or number of an earlier row of the portion. */
  duplicates: number
  /** Rows with an email address whose phone number cannot be read. */
  invalidPhones: number
}

/** What decides about the rows of a file. */
export interface RowRules {
  keep: Keep
  /** What decides about the values of custom fields, by name. */
  fields?: ReadonlyMap<string, FieldRule>
  /** Why the rows are suppressed; null for contacts. */
  suppress?: ImportRow['suppress']
  /** The country of phone numbers that are written without one, ISO 3166. */
  country?: string | null
  /** Whether dates begin with the day or the month, by column. */
  dateFormats?: DateFormats
}

/** Built-in attributes: templates know them as `first_name` and `last_name`. */
const NAME_PARTS = ['first_name', 'last_name']

interface Values {
  email: string
  phone: string
  names: string[]
  tags: string[]
  attributes: Record<string, FieldValue>
  /** What is wrong with its dates. */
  dateFaults: string[]
}

/**
 * Makes contacts of rows, one portion after the other. Two rows of a portion with one address become one: the first as it is,
 * or the later one winning cell by cell. Of a row nothing is held but its contact: a portion of rows with their cells would
 * outlive several collections of garbage, which then costs more than reading them.
 */
export class RowReader {
  /** Rows and characters added since the last `take`. */
  rows = 0
  text = 0
  private readonly columns: Column[]
  private readonly keep: Keep
  private readonly suppress: ImportRow['suppress']
  private readonly country: string | undefined
  private ready = new Map<string, Ready>()
  private bad: BadRow[] = []
  private undated: BadRow[] = []
  private invalidDates = 0
  private duplicates = 0
  private invalidPhones = 0

  constructor(headings: string[], mapping: Mapping, rules: RowRules) {
    const { keep, fields, suppress = null, country, dateFormats = {} } = rules
    this.keep = keep
    this.suppress = suppress
    this.country = country ?? undefined
    this.columns = headings.flatMap((heading, at) => {
      const field = Object.hasOwn(mapping, heading) ? mapping[heading] : undefined
      if (!field) return []
      const dateFormat = Object.hasOwn(dateFormats, heading) ? (dateFormats[heading] ?? null) : null
      return [{ at, field, heading, rule: fields?.get(field), dateFormat }]
    })
  }

  add(row: FileRow): void {
    this.rows++
    for (const cell of row.cells) this.text += cell.length
    const contact = row.problem === null ? this.contact(row) : row.problem
    if (typeof contact === 'string') {
      this.bad.push(describeRow(row, contact))
      return
    }
    const key = contact.key ?? contact.phone ?? ''
    const earlier = this.ready.get(key)
    if (earlier) this.duplicates++
    if (earlier && this.keep === 'first') return
    this.ready.set(key, earlier ? merge(earlier, contact) : contact)
  }

  /** What the rows since the last call give. */
  take(): Portion {
    const { rows, bad, undated, invalidDates, duplicates, invalidPhones } = this
    const ready = [...this.ready.values()]
    this.rows = this.text = this.duplicates = this.invalidPhones = this.invalidDates = 0
    this.ready = new Map()
    this.bad = []
    this.undated = []
    return { rows, ready, bad, undated, invalidDates, duplicates, invalidPhones }
  }

  /** A contact, or why the row is none. */
  private contact(row: FileRow): Ready | string {
    const values = this.values(row.cells)
    if (typeof values === 'string') return values
    if (this.suppress !== null) this.findNumber(values)
    const phone = values.phone === '' ? null : normalizePhone(values.phone, this.country)
    if (values.email === '') {
      if (phone === null) return 'No email or phone number'
      if ('reason' in phone) return phone.reason
    }
    const email = values.email === '' ? null : this.readEmail(values.email)
    if (email && 'reason' in email) return email.reason
    // Of first and last name alone the name is made: lists, searches and exports show one.
    const names = values.names.length > 0 ? values.names : NAME_PARTS.flatMap((part) => values.attributes[part] ?? [])
    const name = tidy(names.join(' '))
    if (name.length > MAX_NAME_LENGTH) return `the name is longer than ${MAX_NAME_LENGTH} characters`
    // A number that cannot be read is no reason to lose a good address: it is stored as it was written.
    if (phone && 'reason' in phone) {
      values.attributes.phone ??= values.phone
      this.invalidPhones++
    }
    const faults = values.dateFaults
    if (faults.length > 0) {
      const them = faults.length === 1 ? 'it' : 'them'
      this.undated.push(describeRow(row, `${faults.join('; ')}: the contact was imported without ${them}`))
    }
    this.invalidDates += faults.length
    return {
      row: row.row,
      email: email?.address ?? null,
      key: email?.key ?? null,
      phone: phone && 'phone' in phone ? phone.phone : null,
      name,
      attributes: JSON.stringify(values.attributes),
      tags: values.tags,
    }
  }

  /** An email address; among suppressions also @ and a domain, for every address of it. */
  private readEmail(text: string): ReturnType<typeof normalizeEmail> | { address: string; key: string } {
    if (this.suppress === null || !text.startsWith('@')) return normalizeEmail(text)
    const key = readDomainKey(text)
    if (key === null) return { reason: 'the part after the @ is not a domain such as example.com' }
    // The others are what one person did, or one mailbox.
    if (this.suppress !== 'import') return { reason: `a whole domain is not suppressed as ${this.suppress}` }
    return { address: key, key }
  }

  private values(cells: string[]): Values | string {
    const values: Values = { email: '', phone: '', names: [], tags: NO_TAGS, attributes: {}, dateFaults: NO_FAULTS }
    for (const column of this.columns) {
      const { at, field, heading } = column
      const raw = cells[at]
      if (raw === undefined || raw === '') continue
      const cell = SOUND.test(raw) ? raw : clean(restore(raw)).trim()
      if (cell === '') continue
      if (field === 'email') values.email = cell
      else if (field === 'phone') values.phone = cell
      else if (field === 'name') values.names.push(cell)
      else if (field === 'tags') {
        const tags = readTags(cell)
        if (typeof tags === 'string') return tags
        values.tags = [...values.tags, ...tags]
      } else if (cell.length > MAX_ATTRIBUTE_LENGTH) return `the cell in ${heading} is longer than 5,000 characters`
      else {
        const fault = this.setAttribute(values, column, cell)
        if (fault) return fault
      }
    }
    return values
  }

  /** Takes a number from the column of addresses: an export of suppressions has both in one. */
  private findNumber(values: Values): void {
    const isTaken = values.phone !== '' || values.email.includes('@')
    if (isTaken || !('phone' in normalizePhone(values.email, this.country))) return
    values.phone = values.email
    values.email = ''
  }

  /** Notes the value of a custom field, or says why the row cannot be used. */
  private setAttribute(values: Values, { field, heading, rule, dateFormat }: Column, cell: string): string | undefined {
    const value = rule ? readFieldValue(rule, rule.type === 'date' ? toDay(cell, dateFormat) : cell) : cell
    if (rule && value === undefined) {
      const where = `${shortened(cell)} in ${heading}`
      if (rule.type !== 'date') return `${where} ${describeFault(rule)}`
      // A date that cannot be read is no reason to lose a good address.
      const fault = isOfUnknownOrder(cell, dateFormat) ? 'may begin with the day or with the month' : 'is not a date'
      values.dateFaults = [...values.dateFaults, `${where} ${fault}`]
      return undefined
    }
    values.attributes[field] = value ?? null
    return undefined
  }
}

const describeRow = ({ row, cells }: FileRow, reason: string): BadRow => ({
  row,
  reason,
  line: clean(cells.join(' | ').slice(0, LINE_SHOWN)),
})

const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

/** The names of tags in a cell, or what is wrong with them. */
function readTags(cell: string): string[] | string {
  const names = [...new Set(cell.split(/[,;\n\r]/).map((name) => name.replace(/\s+/g, ' ').trim()))].filter(Boolean)
  if (names.length > MAX_ROW_TAGS) return `there are more than ${MAX_ROW_TAGS} tags`
  const wrong = names.find((name) => !TagName.safeParse(name).success)
  return wrong === undefined ? names : `the tag ${wrong.slice(0, 80)} is longer than 60 characters`
}

function merge(earlier: Ready, later: Ready): Ready {
  return {
    ...later,
    email: earlier.email,
    phone: later.phone ?? earlier.phone,
    name: later.name || earlier.name,
    attributes: JSON.stringify({ ...JSON.parse(earlier.attributes), ...JSON.parse(later.attributes) }),
    tags: [...new Set([...earlier.tags, ...later.tags])],
  }
}

const tidy = (name: string) => (LOOSE.test(name) ? name.replace(/\s+/g, ' ').trim() : name)

function clean(text: string): string {
  return text.replace(UNFIT, ' ').toWellFormed()
}
