import { useSearchParams } from 'react-router'
import { usePlan, useSubscription, useUser } from '#web/features/accounts/index.ts'
import { Banner } from '#web/ui/banner.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LatestCampaigns } from './latest-campaigns.tsx'
import { UsageStats } from './usage-stats.tsx'
import { useProgress } from './use-progress.ts'

export const meta = () => [{ title: 'Dashboard · Postlark' }]

/** Where the four service cards of the landing page lead. */
const services: Record<string, { name: string; to: string; paid?: boolean }> = {
  bulkMailer: { name: 'bulk email sending', to: '/email-sender' },
  mailScraper: { name: 'lead collection', to: '/email-scraper', paid: true },
  whatsAppSender: { name: 'WhatsApp automation', to: '/whatsapp-sender' },
  numberScraper: { name: 'number scraping', to: '/number-scraper', paid: true },
}

export default function DashboardPage() {
  const { data: user } = useUser()
  const service = services[useSearchParams()[0].get('service') ?? '']
  const plan = usePlan()
  const subscription = useSubscription()
  const progress = useProgress()
  const first = user?.name.trim().split(/\s+/)[0]
  return (
    <>
      <PageHeader
        title={first ? `Hello, ${first}` : 'Hello'}
        description={
          progress.data?.sent ? 'Here is how your mail is doing.' : 'Five steps from here to your first campaign.'
        }
        action={
          <ButtonLink kind="primary" to="/email-sender">
            Start a campaign
          </ButtonLink>
        }
      />
      <div className="space-y-5">
        {service && (
          <Banner
            action={
              <ButtonLink size="sm" kind="primary" to={service.paid && plan && !plan.paid ? '/plan' : service.to}>
                {service.paid && plan && !plan.paid ? 'See the plans' : 'Open it'}
              </ButtonLink>
            }
          >
            You came for {service.name}.{service.paid && plan && !plan.paid && ' It is part of the paid plans.'}
          </Banner>
        )}
        <UsageStats subscription={subscription.data} />
        {progress.isError ? (
          <Card>
            <ErrorState
              title="Your progress could not be loaded"
              error={progress.error}
              onRetry={() => progress.refetch()}
            />
          </Card>
        ) : (
          <div className="grid items-start gap-5 wide:grid-cols-5">
            <div className="min-w-0 wide:col-span-3">
              <LatestCampaigns campaigns={progress.data?.latest} />
            </div>
            <div className="min-w-0 max-wide:-order-1 wide:col-span-2">
              <FirstSteps progress={progress.data} />
            </div>
          </div>
        )}
      </div>
    </>
  )
}
