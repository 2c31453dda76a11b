import { useSearchParams } from 'react-router'
import type { GmailAnalytics } from '#contracts/gmail/analytics.ts'
import { Button } from '#web/ui/form/button.tsx'
import { UrlSelect } from '#web/ui/form/url-select.tsx'
import { periods } from './queries.ts'

/** Period, campaign, account and step, stored in the URL. */
export function Filters({ choices }: { choices: GmailAnalytics['choices'] }) {
  const [search, setSearch] = useSearchParams()
  const several = search.get('campaigns')?.includes(',') ? (search.get('campaigns') ?? '') : ''
  const filtered = ['days', 'campaigns', 'account', 'step'].some((name) => search.has(name))
  const width = 'w-full min-w-0 sm:w-44'
  return (
    <fieldset aria-label="Filters" className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <UrlSelect param="days" label="Period" all="Last 30 days" options={periods} className={width} />
      <UrlSelect
        param="campaigns"
        label="Campaign"
        all="All campaigns"
        options={[
          ...(several ? [{ value: several, label: `${several.split(',').length} compared` }] : []),
          ...choices.campaigns.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        className={width}
      />
      <UrlSelect
        param="account"
        label="Account"
        all="All accounts"
        options={choices.accounts.map(({ senderId, address }) => ({ value: senderId, label: address }))}
        className={width}
      />
      <UrlSelect
        param="step"
        label="Step"
        all="All steps"
        options={choices.steps.map((step) => ({ value: String(step), label: stepInWords(step) }))}
        className={width}
      />
      {filtered && (
        <Button kind="quiet" onClick={() => setSearch({}, { preventScrollReset: true })}>
          Clear filters
        </Button>
      )}
    </fieldset>
  )
}

/** 1 -> "First email", 2 -> "Follow-up 1". */
export const stepInWords = (step: number) => (step === 1 ? 'First email' : `Follow-up ${step - 1}`)
