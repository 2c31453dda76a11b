import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '#contracts/client.ts'
import { COLLECTOR_LIMITS, type CrawlJob, collector } from '#contracts/collector/collector.ts'
import { api, errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { CountryField } from '#web/ui/form/country-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import type { Wording } from '../kinds.ts'
import { AddressField, type AddressInput, emptyInput, readInput } from './address-field.tsx'
import { type Choices, choicesErrors, MoreChoices, noChoices, parsePaths } from './more-choices.tsx'

/** Without a word of the owner: a fair look at a few sites, and at many a little of each. */
const usualPages = (addresses: number): number =>
  Math.min(COLLECTOR_LIMITS.pages, addresses <= 10 ? 200 : addresses * 20)

const NAMED = 3

/** What the server said, address by address where that is what it is about. */
function describeRefusal(error: unknown): string {
  const details = error instanceof ApiError ? error.details.filter(({ field }) => field === 'urls') : []
  if (details.length < 2) return errorMessage(error)
  const more = details.length - NAMED
  return `${details
    .slice(0, NAMED)
    .map(({ message }) => message)
    .join(' ')}${more > 0 ? ` And ${formatNumber(more)} more.` : ''}`
}

interface BeginFormProps {
  wording: Wording
  usualCountry: string
  /** The scrape that is edited and tried again. */
  retried: CrawlJob | undefined
}

/** What a scrape was started with, as its form holds it. */
const toChoices = ({ maxPages, maxDepth, subdomains, include, exclude }: CrawlJob): Choices => ({
  maxPages: String(maxPages),
  maxDepth: String(maxDepth),
  subdomains,
  include: include.join('\n'),
  exclude: exclude.join('\n'),
})

/** Which pages, how far, and go. */
export function BeginForm({ wording, usualCountry, retried }: BeginFormProps) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [input, setInput] = useState<AddressInput>(
    retried ? { ...emptyInput, text: retried.urls.join('\n') } : emptyInput,
  )
  const [choices, setChoices] = useState<Choices>(retried ? toChoices(retried) : noChoices)
  const [chosen, setCountry] = useState<string | undefined>(retried?.country ?? undefined)
  const country = chosen ?? usualCountry
  const [asked, setAsked] = useState(false)
  const read = readInput(input)
  const errors = choicesErrors(choices)
  const missing = read.urls.length === 0 ? 'Enter at least one site or page.' : undefined

  const begin = useMutation({
    mutationFn: () =>
      api(collector.create, {
        body: {
          kind: wording.kind,
          urls: read.urls,
          maxPages: Number(choices.maxPages || usualPages(read.urls.length)),
          maxDepth: Number(choices.maxDepth),
          subdomains: choices.subdomains,
          include: parsePaths(choices.include),
          exclude: parsePaths(choices.exclude),
          ...(wording.kind === 'phone' && country && { country }),
        },
      }),
    onSuccess: ({ refused, ...job }) => {
      queries.setQueryData(['crawl-jobs', job.id], job)
      void queries.invalidateQueries({ queryKey: ['crawl-jobs', 'list'] })
      return navigate(`${wording.path}/${job.id}`, { state: refused.length > 0 ? { refused } : null })
    },
  })

  function submit(event: React.FormEvent) {
    event.preventDefault()
    setAsked(true)
    if (!missing && Object.keys(errors).length === 0) begin.mutate()
  }

  return (
    <Card>
      <form noValidate onSubmit={submit} className="space-y-5">
        {begin.isError && <FormBanner error={describeRefusal(begin.error)} />}
        <AddressField input={input} onChange={setInput} read={read} error={asked ? missing : undefined} />
        {wording.kind === 'phone' && (
          <CountryField
            value={country}
            onChange={setCountry}
            hint="For numbers without a country code on pages that don’t state their country. Without a default, such numbers are skipped."
            none="None: use only what the page states"
          />
        )}
        <MoreChoices
          choices={choices}
          onChange={setChoices}
          usualPages={usualPages(read.urls.length)}
          errors={asked ? errors : {}}
        />
        <Button kind="primary" size="lg" type="submit" busy={begin.isPending} className="w-full sm:w-auto">
          {read.urls.length === 0
            ? `Collect ${wording.many}`
            : `Collect ${wording.many} from ${plural(read.sites, 'site')}`}
        </Button>
      </form>
    </Card>
  )
}
