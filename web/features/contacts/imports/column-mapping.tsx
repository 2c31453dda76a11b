import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'

/** Column name -> email, phone, name or an attribute's name. A column that is not in it is skipped. */
export type Mapping = Record<string, string>

const FIXED = ['email', 'phone', 'name']

/** What a column may be called as an attribute. */
const attributeName = (column: string) =>
  column
    .replace(/[^\p{L}\p{N}_ .-]+/gu, ' ')
    .trim()
    .slice(0, 64) || 'column'

interface ColumnMappingProps {
  columns: string[]
  rows: string[][]
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}

/** What each column of the file becomes, with its first values beside it. */
export function ColumnMapping({ columns, rows, mapping, onChange }: ColumnMappingProps) {
  const set = (column: string, target: string | null) => {
    const next = { ...mapping }
    if (target === null) delete next[column]
    else next[column] = target
    onChange(next)
  }
  return (
    <ul className="divide-y rounded-card border bg-surface" aria-label="File columns">
      {columns.map((column, index) => (
        <li
          key={column}
          className="grid items-start gap-x-4 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,15rem)]"
        >
          <div className="min-w-0">
            <p className="truncate text-base font-medium text-ink" title={column}>
              {column}
            </p>
            <p className="truncate text-sm text-muted">
              {rows
                .slice(0, 3)
                .map((row) => row[index])
                .filter(Boolean)
                .join(' · ') || 'no values in the first rows'}
            </p>
          </div>
          <Target column={column} target={mapping[column]} onChange={(target) => set(column, target)} />
        </li>
      ))}
    </ul>
  )
}

function Target({
  column,
  target,
  onChange,
}: {
  column: string
  target: string | undefined
  onChange: (target: string | null) => void
}) {
  const isAttribute = target !== undefined && !FIXED.includes(target)
  const choose = (kind: string) => onChange(kind === '' ? null : kind === 'attribute' ? attributeName(column) : kind)
  return (
    <div className="space-y-2">
      <Select
        aria-label={`Field for ${column}`}
        value={target === undefined ? '' : isAttribute ? 'attribute' : target}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="email">Email address</option>
        <option value="phone">Phone number</option>
        <option value="name">Name</option>
        <option value="attribute">Custom field</option>
        <option value="">Don’t import</option>
      </Select>
      {isAttribute && (
        <Input
          aria-label={`Field name for ${column}`}
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
  if (twice) return `Two columns are named “${twice}”. Don’t import one of them, or rename it.`
  return undefined
}
