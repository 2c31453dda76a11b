import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'

/** Column name -> email, phone, name or an attribute's name. A column that is not in it is left out. */
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
    <ul className="divide-y rounded-card border bg-surface" aria-label="Columns of the file">
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
                .join(' · ') || 'empty in the first rows'}
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
        aria-label={`What ${column} is`}
        value={target === undefined ? '' : isAttribute ? 'attribute' : target}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="email">E-mail address</option>
        <option value="phone">Phone number</option>
        <option value="name">Name</option>
        <option value="attribute">Attribute named…</option>
        <option value="">Leave this column out</option>
      </Select>
      {isAttribute && (
        <Input
          aria-label={`Name of the attribute for ${column}`}
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
    return 'Say which column holds the e-mail address, or the phone number.'
  if (targets.some((target) => target.trim() === '')) return 'Every attribute needs a name.'
  const twice = targets.find((target, index) => targets.indexOf(target) !== index)
  if (twice) return `Two columns are both “${twice}”. Leave one of them out or name it differently.`
  return undefined
}
