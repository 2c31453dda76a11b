import type { CollectorFigures } from '#contracts/collector.ts'
import { FilterChips } from '#web/ui/filter-chips.tsx'
import { UrlSearch } from '#web/ui/url-search.tsx'
import { UrlSelect } from '#web/ui/url-select.tsx'
import type { Wording } from './kinds.ts'
import { countryName, mxWords, typeWords } from './words.ts'

const sure = ['0.9', '0.8', '0.5'].map((value) => ({ value, label: `at least ${Number(value) * 100} % sure` }))
const options = (groups: CollectorFigures['countries'], name: (value: string) => string) =>
  groups.flatMap(({ value }) => (value === null ? [] : [{ value, label: name(value) }]))

/** Search and filters of the results; all of them in the address. */
export function ResultFilters({ wording, figures }: { wording: Wording; figures: CollectorFigures | undefined }) {
  return (
    <div className="grid grid-cols-2 items-center gap-x-3 gap-y-2 px-4 py-2 sm:flex sm:flex-wrap">
      <UrlSearch label="Search findings" className="col-span-2 sm:w-48" />
      {wording.kind === 'email' ? (
        <>
          <div className="col-span-2">
            <FilterChips
              param="role"
              label="Kind"
              options={[
                { value: 'role', label: 'Roles' },
                { value: 'personal', label: 'Persons' },
              ]}
            />
          </div>
          <UrlSelect
            param="mx"
            label="Whether the domain takes mail"
            all="Any domain"
            className="sm:w-40"
            options={(['yes', 'no', 'unknown'] as const).map((value) => ({
              value,
              label: value === 'unknown' ? 'mail server unknown' : `domain ${mxWords[value]}`,
            }))}
          />
        </>
      ) : (
        <>
          <UrlSelect
            param="country"
            label="Country"
            all="Every country"
            className="sm:w-40"
            options={options(figures?.countries ?? [], countryName)}
          />
          <UrlSelect
            param="type"
            label="Type"
            all="Every type"
            className="sm:w-36"
            options={options(figures?.types ?? [], typeWords)}
          />
        </>
      )}
      <UrlSelect param="minConfidence" label="How sure" all="Sure or not" className="sm:w-40" options={sure} />
      <UrlSelect
        param="open"
        label="Hidden from robots"
        all="With hidden ones"
        className="col-span-2 sm:w-44"
        options={[{ value: 'true', label: 'Without hidden ones' }]}
      />
    </div>
  )
}
