import { useSearchParams } from 'react-router'
import { cx } from '../lib/class-names.ts'
import { withParam } from '../lib/with-param.ts'

interface FilterChipsProps {
  /** The name in the address: `?state=`. */
  param: string
  label: string
  options: { value: string; label: string; count?: number }[]
  /** The chip that takes the filter away. */
  all?: string
  /** Further parameters that only hold together with the one that was chosen before. */
  clears?: string[]
}

/** A filter stored in the URL, so that a view can be shared and Back works. Choosing one starts the list from its first page. */
export function FilterChips({ param, label, options, all = 'All', clears = [] }: FilterChipsProps) {
  const [search, setSearch] = useSearchParams()
  const chosen = search.get(param) ?? ''
  const choose = (value: string) =>
    setSearch(
      (old) => ['cursor', ...clears].reduce((next, name) => withParam(next, name, ''), withParam(old, param, value)),
      { preventScrollReset: true },
    )
  return (
    <fieldset aria-label={label} className="flex min-w-0 flex-wrap gap-1.5">
      {[{ value: '', label: all, count: undefined }, ...options].map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === chosen}
          onClick={() => choose(option.value)}
          className={cx(
            'inline-flex h-7 items-center gap-1.5 rounded-full border px-3 text-sm font-medium text-text transition-colors hover:border-control',
            'aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:text-accent-text',
          )}
        >
          {option.label}
          {option.count !== undefined && <span className="tabular-nums opacity-80">{option.count}</span>}
        </button>
      ))}
    </fieldset>
  )
}
