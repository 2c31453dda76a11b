import { useLocation } from 'react-router'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { wordingAt } from '../kinds.ts'
import { useJobs } from '../queries.ts'
import { BeginForm } from './begin-form.tsx'
import { Earlier } from './earlier.tsx'
import { HowScrapingWorks } from './how-scraping-works.tsx'

export const meta = ({ location }: { location: { pathname: string } }) => [
  { title: `${wordingAt(location.pathname).title} · Postlark` },
]

/** Begin a crawl job, and those there were. */
export default function StartPage() {
  const wording = wordingAt(useLocation().pathname)
  const latest = useJobs({ kind: wording.kind, limit: 1 })
  return (
    <>
      <PageHeader title={wording.title} description={wording.lead} />
      <div className="grid items-start gap-5 wide:grid-cols-[minmax(0,1fr)_20rem]">
        {/* The country of the last crawl job is likely the next one's too. */}
        <BeginForm key={wording.kind} wording={wording} usualCountry={latest.data?.items[0]?.country ?? ''} />
        <HowScrapingWorks wording={wording} />
      </div>
      <Earlier wording={wording} />
    </>
  )
}
