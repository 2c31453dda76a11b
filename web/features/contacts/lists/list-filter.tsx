import { useSearchParams } from 'react-router'
import { FilterChips } from '#web/ui/form/filter-chips.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { withParam } from '#web/ui/lib/with-param.ts'
import { useLists } from '../queries.ts'

const MAX_CHIPS = 6

/** Which list is shown, stored in the URL: chips while they are few, a choice when they are many. */
export function ListFilter() {
  const lists = useLists()
  const [search, setSearch] = useSearchParams()
  const items = lists.data?.items ?? []
  if (items.length === 0) return null
  if (items.length <= MAX_CHIPS)
    return (
      <FilterChips
        param="list"
        label="List"
        all="All contacts"
        options={items.map((list) => ({ value: list.id, label: list.name, count: list.contacts }))}
      />
    )
  return (
    <Select
      aria-label="List"
      className="w-full sm:w-64"
      value={search.get('list') ?? ''}
      onChange={(event) => {
        const value = event.target.value
        setSearch((old) => withParam(old, 'list', value))
      }}
    >
      <option value="">All contacts</option>
      {items.map((list) => (
        <option key={list.id} value={list.id}>
          {list.name} ({list.contacts.toLocaleString('en-US')})
        </option>
      ))}
    </Select>
  )
}
