import { lazy, Suspense } from 'react'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Consent } from '../layout/consent.tsx'
import { pageMeta } from '../layout/page-meta.ts'
import { siteFacts } from '../layout/site-content.ts'
import type { Route } from './+types/landing-page.ts'
import { CampaignScreen } from './campaign-screen.tsx'
import { whenInSight } from './when-in-sight.ts'
import { WorksWith } from './works-with.tsx'
// The styles of what is below the fold, whose code comes later than its text.
import './five-steps.css'
import './testimonials.css'

const BELOW = 'below-the-fold'

/** The server writes it whole; its code comes when it is scrolled to. */
const BelowTheFold = lazy(async () => {
  await whenInSight(BELOW)
  return import('./below-the-fold.tsx')
})

const description =
  'Send campaigns that arrive and see the result of every message. Opens and clicks by people and bots are counted separately.'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Postlark: outreach people are glad to get',
    description,
    path: '/',
    data: {
      '@type': 'SoftwareApplication',
      name: 'Postlark',
      description,
      applicationCategory: 'BusinessApplication',
      operatingSystem: 'Web',
      offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
      publisher: { '@type': 'Organization', name: 'Postlark', email: siteFacts.contact.email },
    },
  })

export default function LandingPage() {
  return (
    <>
      <section className="overflow-clip border-b">
        <div className="mx-auto grid max-w-300 items-center gap-x-14 gap-y-14 px-5 pt-16 pb-20 sm:px-8 wide:grid-cols-[1fr_1.12fr] wide:pt-24 wide:pb-28">
          <div>
            <h1 className="max-w-[13ch] text-3xl font-[680] tracking-[-0.035em] sm:text-4xl">
              Send email people are glad to get.
            </h1>
            <p className="mt-6 max-w-[46ch] text-read text-text">
              Postlark sends your campaigns, finds your leads, and shows the result of every message. People and bots
              are counted separately.
            </p>
            <div className="mt-8 flex flex-wrap gap-3">
              <ButtonLink kind="gradient" size="lg" to="/signup">
                Get Started For Free
              </ButtonLink>
              <ButtonLink size="lg" to="/services">
                View services
              </ButtonLink>
            </div>
          </div>
          <CampaignScreen />
        </div>
      </section>
      <WorksWith />
      <div id={BELOW}>
        <Suspense>
          <BelowTheFold />
        </Suspense>
      </div>
      <Consent />
    </>
  )
}
