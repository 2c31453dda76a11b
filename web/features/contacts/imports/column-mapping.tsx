import type { DateFormat } from '#contracts/contacts/imports.ts'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { cx } from '#web/ui/lib/class-names.ts'

/** Column name -> email, phone, name, first_name, last_name or a custom field's name. A column that is not in it is skipped. */
export type Mapping = Record<string, string>

/** Column name -> whether its dates begin with the day or the month; null: it has to be chosen. */
export type DateFormats = Record<string, DateFormat | null>

const DATE_FORMATS: Record<DateFormat, string> = {
  day_first: 'DD/MM/YYYY',
  month_first: 'MM/DD/YYYY',
}

const FIXED = {
  email: 'Email',
  phone: 'Phone',
  first_name: 'First name',
  last_name: 'Last name',
  name: 'Full name',
  tags: 'Tags',
}

/** What a column may be called as a custom field. */
const fieldName = (column: string) =>
  column
    .replace(/[^\p{L}\p{N}_ .-]+/gu, ' ')
    .trim()
    .slice(0, 64) || 'column'

/** Rows of the file that are shown under the mapping. */
const SHOWN_ROWS = 4

interface ColumnMappingProps {
  columns: string[]
  rows: string[][]
  mapping: Mapping
  onChange: (mapping: Mapping) => void
  dateFormats: DateFormats
  onDateFormat: (column: string, format: DateFormat | null) => void
}

/** The first rows of the file, with what each column becomes in its header; a wide file scrolls inside. */
export function ColumnMapping({ columns, rows, mapping, onChange, dateFormats, onDateFormat }: ColumnMappingProps) {
  const set = (column: string, target: string | null) => {
    const next = { ...mapping }
    if (target === null) delete next[column]
    else next[column] = target
    onChange(next)
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div tabIndex={0} role="group" aria-label="File columns" className="overflow-x-auto rounded-card border bg-surface">
      <table className="min-w-full text-sm">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="min-w-48 border-b px-3 py-2.5 text-left align-top font-normal">
                <span className="mb-1.5 block max-w-56 truncate text-xs font-medium text-muted" title={column}>
                  {column}
                </span>
                <Target column={column} target={mapping[column]} onChange={(target) => set(column, target)} />
                {Object.hasOwn(dateFormats, column) && (
                  <Select
                    aria-label={`Date format of ${column}`}
                    className="mt-1.5"
                    value={dateFormats[column] ?? ''}
                    onChange={(event) => onDateFormat(column, (event.target.value || null) as DateFormat | null)}
                  >
                    <option value="">Date format</option>
                    {Object.entries(DATE_FORMATS).map(([value, label]) => (
                      <option key={value} value={value}>
                        {label}
                      </option>
                    ))}
                  </Select>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name than their place
            <tr key={index} className="border-b last:border-0">
              {columns.map((column, at) => (
                <td
                  key={column}
                  className={cx(
                    'max-w-56 truncate px-3 py-1.5',
                    mapping[column] === undefined ? 'text-muted line-through decoration-line' : 'text-ink',
                  )}
                >
                  {row[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface TargetProps {
  column: string
  target: string | undefined
  onChange: (target: string | null) => void
}

function Target({ column, target, onChange }: TargetProps) {
  const isCustom = target !== undefined && !(target in FIXED)
  const choose = (kind: string) => onChange(kind === '' ? null : kind === 'custom' ? fieldName(column) : kind)
  return (
    <div className="space-y-1.5">
      <Select
        aria-label={`Field for ${column}`}
        value={target === undefined ? '' : isCustom ? 'custom' : target}
        onChange={(event) => choose(event.target.value)}
      >
        {Object.entries(FIXED).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        <option value="custom">Custom field</option>
        <option value="">Don’t import</option>
      </Select>
      {isCustom && (
        <Input
          aria-label={`Custom field name for ${column}`}
          value={target}
          maxLength={64}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}

/** What is wrong with a mapping, in a sentence, or undefined. */
export function mappingError(mapping: Mapping): string | undefined {
  const targets = Object.values(mapping)
  if (!targets.includes('email') && !targets.includes('phone'))
    return 'Choose the column with the email address or the phone number.'
  if (targets.some((target) => target.trim() === '')) return 'Every custom field needs a name.'
  const twice = targets.find((target, index) => targets.indexOf(target) !== index)
  if (twice)
    return `Two columns are mapped to “${twice in FIXED ? FIXED[twice as keyof typeof FIXED] : twice}”. Don’t import one of them.`
  return undefined
}

/** Which column has no date format yet, in a sentence, or undefined. */
export function findDateError(dateFormats: DateFormats): string | undefined {
  const [column] = Object.entries(dateFormats).find(([, format]) => format === null) ?? []
  return column === undefined ? undefined : `Choose the date format of “${column}”.`
}
