import { useSyncExternalStore } from 'react'
import { data, Link } from 'react-router'
import { campaignReports, type SharedReport } from '#contracts/campaigns/report/report.ts'
import { ApiError } from '#contracts/client.ts'
import { countRates } from '#contracts/whatsapp/rates.ts'
import { apiContext } from '#web/page-context.ts'
import { formatDay, formatNumber, formatRate, plural } from '#web/ui/lib/format.ts'
import { Wordmark } from '#web/ui/theme/brand.tsx'
import type { Route } from './+types/shared-page.ts'
import { Answer } from './answer.tsx'
import { ClientsCard } from './clients.tsx'
import { EmailFigures } from './email-figures.tsx'
import { EmailFunnel } from './email-funnel.tsx'
import { EmailSummary } from './email-preview.tsx'
import { Figure, FigureGrid } from './figure.tsx'
import { HumanMachine } from './human-machine.tsx'
import { answerFigure, didItWork, whyUnknown } from './labels.ts'
import { LinksCard } from './links.tsx'
import { Timeline } from './timeline.tsx'

const MAX_TOKEN = 100

/** A report that somebody shared: figures and the email, no recipient and no way further. A link that was revoked is a 404. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const gone = () => data({ report: undefined, isBusy: false }, { status: 404 })
  if (params.token.length > MAX_TOKEN) return gone()
  try {
    const report = await context.get(apiContext)(campaignReports.shared, { params: { token: params.token } })
    return data({ report, isBusy: false })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 429) return data({ report: undefined, isBusy: true }, { status: 429 })
    if (error.status === 404 || error.status === 400) return gone()
    throw error
  }
}

// The address is the key to the report: no search engine and no other site learns it.
export const headers = () => ({
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
})

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.report?.name ?? 'Shared report'} · Postlark` },
  { name: 'robots', content: 'noindex, nofollow' },
]

export default function SharedReportPage({ loaderData: { report, isBusy } }: Route.ComponentProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between gap-4 border-b bg-surface px-5 py-3">
        <Link to="/" aria-label="Postlark, home" className="flex rounded-control">
          <Wordmark />
        </Link>
        <span className="text-sm text-muted">Shared report</span>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl outline-none flex-1 space-y-5 px-4 py-8 sm:px-6"
      >
        {report ? <Shown report={report} /> : <Gone isBusy={isBusy} />}
      </main>
    </div>
  )
}

function Gone({ isBusy }: { isBusy: boolean }) {
  return (
    <div className="mx-auto max-w-md py-16 text-center">
      <h1 className="text-xl font-semibold tracking-tight">
        {isBusy ? 'Try again in a few minutes' : 'This link no longer works'}
      </h1>
      <p className="mt-2 text-base text-muted">
        {isBusy
          ? 'Many people are viewing this report right now.'
          : 'It may have been revoked or have expired. Ask the person who sent it to you for a new one.'}
      </p>
    </div>
  )
}

const nothing = () => () => undefined
/** Times are those of the reader, whom the server does not know. */
const useInBrowser = () =>
  useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  )

function Shown({ report }: { report: SharedReport }) {
  const { name, startedAt, stats, email, delivery } = report
  const inBrowser = useInBrowser()
  const at = inBrowser && startedAt && `${report.sender ? 'sent' : 'Sent'} ${formatDay(startedAt)}`
  const sent = [report.sender, at].filter(Boolean).join(', ')
  return (
    <>
      <header>
        <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{name}</h1>
        <p className="mt-1 min-h-5 text-base wrap-anywhere text-muted">{sent}</p>
      </header>
      {delivery ? (
        <MessageFigures delivery={delivery} />
      ) : (
        <>
          <Answer {...answerFigure(report, stats)} sentence={didItWork(report, stats)}>
            {email && <EmailSummary email={email} failed={false} />}
          </Answer>
          <EmailFigures
            facts={report}
            stats={stats}
            averages={undefined}
            footnote={undefined}
            people={undefined}
            bounceHint="Addresses that were rejected for good."
          />
          {inBrowser && <Timeline stats={stats} tracked={report} startedAt={startedAt} />}
          <div className="grid gap-5 wide:grid-cols-2">
            <div className="space-y-5">
              <LinksCard stats={stats} tracked={report.trackClicks} labels={email?.links} people={undefined} />
              <ClientsCard stats={stats} unknown={whyUnknown(report, 'opened')} people={undefined} />
            </div>
            <div className="space-y-5">
              <EmailFunnel facts={report} stats={stats} people={undefined} />
              <HumanMachine facts={report} stats={stats} people={undefined} />
            </div>
          </div>
        </>
      )}
    </>
  )
}

function MessageFigures({ delivery }: { delivery: NonNullable<SharedReport['delivery']> }) {
  const { tried, delivered, read, replied, failed } = delivery
  const rates = countRates(delivery)
  const people = (count: number) => plural(count, 'person', 'people')
  return (
    <>
      <Answer
        label="Read rate"
        value={formatRate(rates.read)}
        sentence={`${plural(delivered, 'message')} delivered, ${formatNumber(read)} read, ${people(replied)} replied.`}
      />
      <FigureGrid>
        <Figure
          label="Delivered"
          value={formatRate(rates.delivered)}
          note={`${formatNumber(delivered)} of ${formatNumber(tried)}`}
        />
        <Figure label="Read" value={formatRate(rates.read)} note={people(read)} />
        <Figure label="Replied" value={formatRate(rates.reply)} note={people(replied)} />
        <Figure label="Failed" value={formatRate(rates.failure)} note={plural(failed, 'message')} />
      </FigureGrid>
    </>
  )
}
