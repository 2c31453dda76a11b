import type { CollectorFigures } from '#contracts/collector/collector.ts'
import { FilterChips } from '#web/ui/form/filter-chips.tsx'
import { UrlSearch } from '#web/ui/form/url-search.tsx'
import { UrlSelect } from '#web/ui/form/url-select.tsx'
import type { Wording } from '../kinds.ts'
import { countryOrUnknown, mxWords, typeWords } from '../labels.ts'

const sure = ['0.9', '0.8', '0.5'].map((value) => ({ value, label: `at least ${Number(value) * 100}% confidence` }))
const options = (groups: CollectorFigures['countries'], name: (value: string) => string) =>
  groups.flatMap(({ value }) => (value === null ? [] : [{ value, label: name(value) }]))

/** Search and filters of the results; all of them in the address. */
export function ResultFilters({ wording, figures }: { wording: Wording; figures: CollectorFigures | undefined }) {
  return (
    <div className="grid grid-cols-2 items-center gap-x-3 gap-y-2 px-4 py-2 sm:flex sm:flex-wrap">
      <UrlSearch label="Search results" className="col-span-2 sm:w-48" />
      {wording.kind === 'email' ? (
        <>
          <div className="col-span-2">
            <FilterChips
              param="role"
              label="Type"
              options={[
                { value: 'role', label: 'Role addresses' },
                { value: 'personal', label: 'Personal addresses' },
              ]}
            />
          </div>
          <UrlSelect
            param="mx"
            label="Domain accepts email"
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
            all="All countries"
            className="sm:w-40"
            options={options(figures?.countries ?? [], countryOrUnknown)}
          />
          <UrlSelect
            param="type"
            label="Line type"
            all="All line types"
            className="sm:w-36"
            options={options(figures?.types ?? [], typeWords)}
          />
        </>
      )}
      <UrlSelect param="minConfidence" label="Confidence" all="Any confidence" className="sm:w-40" options={sure} />
      <UrlSelect
        param="open"
        label="Hidden from robots"
        all="Including hidden"
        className="col-span-2 sm:w-44"
        options={[{ value: 'true', label: 'Excluding hidden' }]}
      />
    </div>
  )
}
