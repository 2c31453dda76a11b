import { Link } from 'react-router'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { CampaignEmail } from '#contracts/campaigns/report/report.ts'
import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { useAudienceNames } from '../audience/names.ts'
import { channels } from '../channels/index.ts'
import { useAverages, useEmail, useStats } from '../queries.ts'
import { Answer } from './answer.tsx'
import { ClientsCard } from './clients.tsx'
import { DeliveryCard } from './delivery.tsx'
import { EmailFigures } from './email-figures.tsx'
import { EmailFunnel } from './email-funnel.tsx'
import { EmailSummary } from './email-preview.tsx'
import { HumanMachine } from './human-machine.tsx'
import {
  answerFigure,
  bouncedFigure,
  bounceHint,
  complainedFigure,
  deliveryRows,
  deliverySummary,
  describeAverages,
  didItWork,
  whyUnknown,
} from './labels.ts'
import { LinksCard } from './links.tsx'
import { peopleLink } from './people/people-links.ts'
import { ReceiversCard } from './receivers.tsx'
import { ReportFrame } from './report-frame.tsx'
import { Timeline } from './timeline.tsx'

/** What a marketer wants to know, in the order they ask: did it work, when, what was clicked, where were people lost. */
export function Report({ campaign, children }: { campaign: Campaign; children?: React.ReactNode }) {
  const query = useStats(campaign.id, campaign.state)
  const averages = useAverages(campaign)
  const email = useEmail(campaign)
  const { name, replies } = channels[campaign.channel]
  const replied = replies?.(campaign)
  return (
    <ReportFrame
      query={query}
      answer={(stats) => (
        <Answer {...answerFigure(campaign, stats)} sentence={didItWork(campaign, stats)}>
          <SentEmail campaign={campaign} email={email.data} failed={email.isError} />
        </Answer>
      )}
    >
      {(stats) => (
        <>
          <EmailFigures
            facts={campaign}
            stats={stats}
            averages={averages.data}
            footnote={describeAverages(averages.data?.campaigns, name)}
            people={peopleLink}
            bounceHint={bounceHint(campaign, stats)}
            replied={replied && { ...replied, average: averages.data?.rates.reply ?? null }}
          />
          <Timeline stats={stats} tracked={campaign} startedAt={campaign.startedAt} />
          <div className="grid gap-5 wide:grid-cols-2">
            <div className="min-w-0 space-y-5">
              <LinksCard stats={stats} tracked={campaign.trackClicks} labels={email.data?.links} people={peopleLink} />
              <ClientsCard stats={stats} unknown={whyUnknown(campaign, 'opened')} people={peopleLink} />
            </div>
            <div className="min-w-0 space-y-5">
              <EmailFunnel facts={campaign} stats={stats} people={peopleLink} />
              <HumanMachine facts={campaign} stats={stats} people={peopleLink} />
            </div>
          </div>
          <ReceiversCard stats={stats} />
          {children}
          <Delivery campaign={campaign} stats={stats} />
        </>
      )}
    </ReportFrame>
  )
}

function SentEmail({
  campaign,
  email,
  failed,
}: {
  campaign: Campaign
  email: CampaignEmail | undefined
  failed: boolean
}) {
  return <EmailSummary email={email} failed={failed} audience={useAudienceNames(campaign)} />
}

function Delivery({ campaign, stats }: { campaign: Campaign; stats: CampaignStats }) {
  const { counts, channel } = campaign
  // Gmail tells by the mailbox, which the sender's page is about.
  const setUp = channel === 'email' && stats.delivered === null && (
    <Link to="/bounce-sources" className="underline">
      Add a bounce source
    </Link>
  )
  const withSetUp = (note: string) =>
    setUp ? (
      <>
        {note}. {setUp}
      </>
    ) : (
      note
    )
  const bounced = bouncedFigure(campaign, stats)
  const complained = complainedFigure(stats)
  const rows = deliveryRows(campaign, {
    accepted: 'Accepted by mail servers',
    failed: 'bounced at once, or rejected by their mail server',
    later: [
      { label: 'Bounced after delivery', value: bounced.value, note: withSetUp(bounced.note), state: 'bounced' },
      { label: 'Spam complaints', ...complained },
    ],
  })
  return (
    <DeliveryCard
      campaign={campaign}
      summary={deliverySummary(campaign)}
      rows={rows}
      people={peopleLink}
      isOpen={counts.failed + counts.bounced + counts.unconfirmed > 0}
    />
  )
}
