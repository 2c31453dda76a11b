import { ButtonLink } from '#web/ui/button.tsx'
import { CampaignScreen } from './campaign-screen.tsx'
import { FiveSteps } from './five-steps.tsx'
import { ServiceCards } from './service-cards.tsx'

export const meta = () => [
  { title: 'Postlark: outreach people are glad to get' },
  {
    name: 'description',
    content:
      'Send campaigns that arrive, and see what became of every single message: opens and clicks by people, machines counted apart.',
  },
  { property: 'og:title', content: 'Postlark: outreach people are glad to get' },
  { property: 'og:description', content: 'Send campaigns that arrive, and see what became of every single message.' },
]

export default function LandingPage() {
  return (
    <>
      <section className="overflow-clip border-b">
        <div className="mx-auto grid max-w-300 items-center gap-x-14 gap-y-14 px-5 pt-16 pb-20 sm:px-8 wide:grid-cols-[1fr_1.12fr] wide:pt-24 wide:pb-28">
          <div>
            <h1 className="max-w-[13ch] text-3xl font-[680] tracking-[-0.035em] sm:text-4xl">
              Send mail people are glad to get.
            </h1>
            <p className="mt-6 max-w-[46ch] text-read text-text">
              Postlark sends your campaigns, finds your leads, and tells you what became of every single message, with
              people and machines counted apart.
            </p>
            <div className="mt-8 flex flex-wrap gap-3">
              <ButtonLink kind="gradient" size="lg" to="/signup">
                Get Started For Free
              </ButtonLink>
              <ButtonLink size="lg" to="/login">
                Log in
              </ButtonLink>
            </div>
          </div>
          <CampaignScreen />
        </div>
      </section>
      <FiveSteps />
      <ServiceCards />
    </>
  )
}
