import { ChevronDown, X } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { cx } from '../lib/class-names.ts'
import { withParam } from '../lib/with-param.ts'
import { Menu, MenuChoice } from '../overlay/dropdown-menu.tsx'

interface FilterMenuProps {
  /** The name in the URL: `?status=`. */
  param: string
  label: string
  options: { value: string; label: string }[]
  /** The choice that takes the filter away. */
  all?: string
}

const chip = 'inline-flex h-7 items-center gap-1 border text-sm font-medium whitespace-nowrap transition-colors'
const chosenLook = 'border-accent-line bg-accent-soft text-accent-text'

/** A filter stored in the URL, as one chip that opens its values: for several filters side by side. Once set, it says its value and can be taken away. */
export function FilterMenu({ param, label, options, all = 'Any' }: FilterMenuProps) {
  const [search, setSearch] = useSearchParams()
  const value = search.get(param) ?? ''
  const chosen = options.find((option) => option.value === value)
  const choose = (next: string) => setSearch((old) => withParam(old, param, next), { preventScrollReset: true })
  return (
    <span className="inline-flex shrink-0">
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className={cx(
              chip,
              'max-w-56 pl-3',
              chosen ? cx(chosenLook, 'rounded-l-full pr-1.5') : 'rounded-full pr-2.5 text-text hover:border-control',
            )}
          >
            <span className="truncate">{chosen ? `${label}: ${chosen.label}` : label}</span>
            {!chosen && <ChevronDown aria-hidden="true" className="size-3.5 shrink-0 opacity-70" />}
          </button>
        }
      >
        <MenuChoice label={label} value={value} options={[{ value: '', label: all }, ...options]} onChange={choose} />
      </Menu>
      {chosen && (
        <button
          type="button"
          aria-label={`Clear the filter ${label}`}
          onClick={() => choose('')}
          className={cx(chip, chosenLook, 'rounded-r-full border-l-0 pr-2 pl-1 hover:text-ink')}
        >
          <X aria-hidden="true" className="size-3.5" />
        </button>
      )}
    </span>
  )
}
