import { Select } from '#web/ui/form/select.tsx'

const choices: [value: string, label: string][] = [
  ['found desc', 'Newest first'],
  ['found asc', 'Oldest first'],
  ['value asc', 'Value, A to Z'],
  ['confidence desc', 'Highest confidence'],
  ['source asc', 'Source page'],
]

interface SortSelectProps {
  sort: string
  order: 'asc' | 'desc'
  onSort: (by: string, order: 'asc' | 'desc') => void
}

/** The order of the results on a phone, where cards have no headers to press. */
export function SortSelect({ sort, order, onSort }: SortSelectProps) {
  const value = `${sort} ${order}`
  return (
    <div className="px-4 pb-3 md:hidden">
      <Select
        aria-label="Sort by"
        value={value}
        onChange={(event) => {
          const [by = 'found', next] = event.target.value.split(' ')
          onSort(by, next === 'asc' ? 'asc' : 'desc')
        }}
      >
        {choices.map(([choice, label]) => (
          <option key={choice} value={choice}>
            {label}
          </option>
        ))}
        {!choices.some(([choice]) => choice === value) && <option value={value}>Custom order</option>}
      </Select>
    </div>
  )
}
