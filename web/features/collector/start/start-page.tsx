import { Info } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { CrawlJob } from '#contracts/collector/collector.ts'
import { Button } from '#web/ui/form/button.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { wordingAt } from '../kinds.ts'
import { useJobs } from '../queries.ts'
import { BeginForm } from './begin-form.tsx'
import { Earlier } from './earlier.tsx'
import { HowScrapingWorks } from './how-scraping-works.tsx'

export const meta = ({ location }: { location: { pathname: string } }) => [
  { title: `${wordingAt(location.pathname).title} · Postlark` },
]

const KEY = 'scrapingRules'

/** Whether the rules are shown, as it was chosen in this browser; undefined before. */
function storedChoice(): boolean | undefined {
  const stored = localStorage.getItem(KEY)
  return stored === null ? undefined : stored === 'shown'
}

const storeChoice = (isShown: boolean) => localStorage.setItem(KEY, isShown ? 'shown' : 'hidden')

/** Begin a crawl job, and those there were. */
export default function StartPage() {
  const wording = wordingAt(useLocation().pathname)
  const { state } = useLocation()
  const retried = (state as { retried?: CrawlJob } | null)?.retried
  const latest = useJobs({ kind: wording.kind, limit: 1 })
  const [chosen, setChosen] = useState(storedChoice)
  // The rules are read once: from the first scrape on they are a click away.
  const isOpen = chosen ?? latest.data?.items.length === 0
  const choose = (open: boolean) => {
    storeChoice(open)
    setChosen(open)
  }
  return (
    <>
      <PageHeader
        title={wording.title}
        description={wording.lead}
        action={
          <Button
            kind="quiet"
            aria-expanded={isOpen}
            icon={<Info aria-hidden="true" className="size-4" />}
            onClick={() => choose(!isOpen)}
          >
            How scraping works
          </Button>
        }
      />
      <div className={cx('grid items-start gap-5', isOpen && 'wide:grid-cols-[minmax(0,1fr)_20rem]')}>
        {/* The country of the last crawl job is likely the next one's too. */}
        <BeginForm
          key={`${wording.kind} ${retried?.id}`}
          wording={wording}
          usualCountry={latest.data?.items[0]?.country ?? ''}
          retried={retried?.kind === wording.kind ? retried : undefined}
        />
        {isOpen && <HowScrapingWorks wording={wording} />}
      </div>
      <Earlier wording={wording} />
    </>
  )
}
