import { useSearchParams } from 'react-router'
import { withParam } from '../lib/with-param.ts'
import { Select } from './select.tsx'

interface UrlSelectProps {
  /** The name in the address: `?plan=`. */
  param: string
  label: string
  /** The choice that takes the filter away. */
  all: string
  options: { value: string; label: string }[]
  className?: string
}

/** A filter with many values, stored in the URL as FilterChips stores one with few. */
export function UrlSelect({ param, label, all, options, className }: UrlSelectProps) {
  const [search, setSearch] = useSearchParams()
  return (
    <Select
      aria-label={label}
      {...(className && { className })}
      value={search.get(param) ?? ''}
      onChange={(event) => {
        const { value } = event.target
        setSearch((old) => withParam(old, param, value), { preventScrollReset: true })
      }}
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  )
}
