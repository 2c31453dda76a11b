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
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2">
      <UrlSearch label="Search value, name or page" className="w-full sm:w-60" />
      {wording.kind === 'email' ? (
        <>
          <FilterChips
            param="role"
            label="Kind"
            options={[
              { value: 'role', label: 'Roles' },
              { value: 'personal', label: 'Persons' },
            ]}
          />
          <UrlSelect
            param="mx"
            label="Whether the domain takes mail"
            all="Any domain"
            className="w-44"
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
            className="w-44"
            options={options(figures?.countries ?? [], countryName)}
          />
          <UrlSelect
            param="type"
            label="Type"
            all="Every type"
            className="w-40"
            options={options(figures?.types ?? [], typeWords)}
          />
        </>
      )}
      <UrlSelect param="minConfidence" label="How sure" all="However sure" className="w-44" options={sure} />
      <FilterChips
        param="open"
        label="Hidden from robots"
        all="Hidden ones too"
        options={[{ value: 'true', label: 'Only open ones' }]}
      />
    </div>
  )
}
