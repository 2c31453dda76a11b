import type { CrawlJob, SkipReason } from '#contracts/collector/collector.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { SearchDrawing } from '#web/ui/theme/drawings.tsx'
import type { Wording } from './kinds.ts'
import { isMoving } from './queries.ts'

interface OutcomeProps {
  job: CrawlJob
  wording: Wording
}

/** What one should know of a crawl job that rests: that more is there, why it ended, or why it found nothing and what to do. */
export function Outcome({ job, wording }: OutcomeProps) {
  const { state, found } = job
  if (isMoving(state)) return null
  const kept =
    found > 0 ? `The ${plural(found, wording.one, wording.many)} found so far ${found === 1 ? 'is' : 'are'} saved.` : ''
  if (state === 'paused')
    return (
      <Banner tone="attention" title="Paused">
        {job.stateText || `No pages are requested until you resume. ${kept}`}
      </Banner>
    )
  if (state === 'failed')
    return (
      <Banner tone="harm" title="Scrape failed" action={<Retry job={job} wording={wording} />}>
        {job.stateText || 'The reason is unknown.'} {kept}
      </Banner>
    )
  if (found === 0) return <NothingFound job={job} wording={wording} />
  if (state === 'stopped')
    return (
      <Banner title="Stopped">{job.stateText || 'You stopped this scrape.'} Results found so far are saved.</Banner>
    )
  if (job.pagesFetched >= job.maxPages)
    return (
      <Banner tone="attention" title={`Page limit of ${formatNumber(job.maxPages)} reached`}>
        These sites may have more results. Pages that mention contacts were read first. To continue, start a new scrape
        with a higher limit under “More options”.
      </Banner>
    )
  return null
}

/** Leads to the form with what this scrape was started with; with too many URLs to show, to an empty one. */
function Retry({ job, wording, isPrimary }: OutcomeProps & { isPrimary?: boolean }) {
  const isWhole = job.urls.length === job.urlCount
  return (
    <ButtonLink
      kind={isPrimary ? 'primary' : 'secondary'}
      size={isPrimary ? 'md' : 'sm'}
      to={wording.path}
      state={isWhole ? { retried: job } : null}
    >
      {isWhole ? 'Edit and retry' : 'Start new scrape'}
    </ButtonLink>
  )
}

/** Why there is nothing, by what happened to most pages. */
function whyNothing({ skipped, pagesFetched, state }: CrawlJob, many: string): { title: string; text: string } {
  const worst = (Object.entries(skipped) as [SkipReason, number][]).sort((a, b) => b[1] - a[1])[0]
  const reason = pagesFetched === 0 && worst && worst[1] > 0 ? worst[0] : undefined
  if (reason === 'robots')
    return {
      title: 'These sites don’t allow robots',
      text: `Their robots.txt or the pages themselves don’t allow crawling, and Postlark respects that. Ask the owners for a contact or try other sites.`,
    }
  if (reason === 'notice')
    return {
      title: 'These sites don’t allow collecting contacts',
      text: 'The sites state that their contacts must not be collected, so no results were saved. Try other sites.',
    }
  if (reason === 'blocked')
    return {
      title: 'These addresses are not on the public web',
      text: 'They lead to a private network, which Postlark does not read. Check the URLs.',
    }
  if (reason === 'error')
    return {
      title: 'No page could be read',
      text: 'The sites did not respond or returned errors. The reasons are listed below. Check the URLs or try again later.',
    }
  if (state === 'stopped')
    return { title: 'Stopped before anything was found', text: `Start a new scrape to look for ${many} again.` }
  if (pagesFetched === 0) return { title: 'No page was read', text: 'There were no pages to request. Try other pages.' }
  return {
    title: `No ${many} found on ${plural(pagesFetched, 'page')}`,
    text: `The pages may have no ${many}, or show them in images or through scripts, which Postlark does not run. Try the contact page itself, follow more links, or include subdomains.`,
  }
}

function NothingFound({ job, wording }: OutcomeProps) {
  const { title, text } = whyNothing(job, wording.many)
  return (
    <Card>
      <EmptyState
        drawing={<SearchDrawing />}
        title={title}
        action={<Retry job={job} wording={wording} isPrimary />}
        className="py-6"
      >
        {text}
      </EmptyState>
    </Card>
  )
}
