import type { CollectorJob, SkipReason } from '#contracts/collector.ts'
import { Banner } from '#web/ui/banner.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { SearchDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { formatNumber, plural } from '#web/ui/format.ts'
import type { Wording } from './kinds.ts'
import { isMoving } from './queries.ts'

interface OutcomeProps {
  job: CollectorJob
  wording: Wording
}

/** What one should know of a collection that rests: that more is there, why it ended, or why it found nothing and what to do. */
export function Outcome({ job, wording }: OutcomeProps) {
  const { state, found } = job
  if (isMoving(state)) return null
  const kept =
    found > 0 ? `The ${plural(found, wording.one, wording.many)} found so far are kept.` : 'Nothing was found yet.'
  if (state === 'paused')
    return (
      <Banner tone="attention" title="Paused">
        {job.stateText || `Nothing is asked for until you resume. ${kept}`}
      </Banner>
    )
  if (state === 'failed')
    return (
      <Banner tone="harm" title="It could not go on">
        {job.stateText || 'The reason is unknown.'} {kept}
      </Banner>
    )
  if (found === 0) return <NothingFound job={job} wording={wording} />
  if (state === 'stopped')
    return <Banner title="Stopped">{job.stateText || 'You stopped it.'} What was found is kept.</Banner>
  if (job.pagesFetched >= job.maxPages)
    return (
      <Banner tone="attention" title={`The limit of ${formatNumber(job.maxPages)} pages was reached`}>
        There may be more on these sites. Pages that name contacts were read first; to read on, begin again with a
        higher limit under “More choices”.
      </Banner>
    )
  return null
}

/** Why there is nothing, by what happened to most pages. */
function whyNothing({ skipped, pagesFetched, state }: CollectorJob, many: string): { title: string; text: string } {
  const worst = (Object.entries(skipped) as [SkipReason, number][]).sort((a, b) => b[1] - a[1])[0]
  const reason = pagesFetched === 0 && worst && worst[1] > 0 ? worst[0] : undefined
  if (reason === 'robots')
    return {
      title: 'These sites ask robots to stay away',
      text: `Their robots.txt, or the pages themselves, forbid reading, and we keep to that. Ask the owners for a contact, or name other sites.`,
    }
  if (reason === 'notice')
    return {
      title: 'These sites forbid collecting',
      text: 'They say in words that their contacts must not be collected, so nothing of them is kept. Name other sites.',
    }
  if (reason === 'blocked')
    return {
      title: 'These addresses are not on the public web',
      text: 'They lead into a private network, which is never read. Check the addresses.',
    }
  if (reason === 'error')
    return {
      title: 'No page could be read',
      text: 'The sites did not answer or answered with errors; the reasons are below. Check the addresses, or try again later.',
    }
  if (state === 'stopped')
    return { title: 'Stopped before anything was found', text: `Begin again to look for ${many} once more.` }
  if (pagesFetched === 0) return { title: 'No page was read', text: 'There was nothing to ask for. Name other pages.' }
  return {
    title: `No ${many} on ${plural(pagesFetched, 'page')}`,
    text: `Either there are none, or they stand in pictures or are put together by scripts in the browser, which are not run. Name the contact or imprint page itself, follow more links, or allow subdomains.`,
  }
}

function NothingFound({ job, wording }: OutcomeProps) {
  const { title, text } = whyNothing(job, wording.many)
  return (
    <Card>
      <EmptyState
        drawing={<SearchDrawing />}
        title={title}
        action={
          <ButtonLink kind="primary" to={wording.path}>
            Begin another collection
          </ButtonLink>
        }
        className="py-6"
      >
        {text}
      </EmptyState>
    </Card>
  )
}
