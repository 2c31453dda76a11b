import { currency, trialDays } from '#contracts/billing/plans.ts'
import { LinkInText } from '../layout/link-in-text.tsx'
import { pageMeta } from '../layout/page-meta.ts'
import type { Route } from './+types/pricing-page.ts'
import { PlanCards } from './plan-cards.tsx'
import { planList } from './plan-figures.ts'
import { PlanTable } from './plan-table.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Pricing · Postlark',
    description: 'Free for 500 contacts and 1,000 emails a month. Simple paid plans, monthly or yearly.',
    path: '/pricing',
    image: 'pricing',
    data: {
      '@type': 'Product',
      name: 'Postlark',
      offers: planList.map((plan) => ({
        '@type': 'Offer',
        name: plan.title,
        price: (plan.price.month / 100).toFixed(2),
        priceCurrency: currency,
      })),
    },
  })

const questions: { ask: string; answer: React.ReactNode }[] = [
  {
    ask: 'Is the free plan really free?',
    answer: 'Yes, with no time limit and no credit card. The table above lists its limits and tools.',
  },
  {
    ask: 'What happens when a limit is reached?',
    answer:
      'We warn you before you reach it. When it is used up, campaigns pause or stop and tell you so. Nothing is sent over the limit, and nothing is charged automatically.',
  },
  {
    ask: 'Which contacts count?',
    answer:
      'Every contact in your account counts once, no matter how many lists they are on. If you remove a contact, it no longer counts.',
  },
  {
    ask: 'Does a failed email count?',
    answer:
      'No. Emails that a mail server accepted count, and so do unconfirmed ones: a server may have accepted them, but its reply was lost.',
  },
  {
    ask: 'Do I need my own mail server?',
    answer:
      'To send real email, yes. Any SMTP server or mailbox works, and paid plans can send through Gmail. Until then, you can use everything in the sandbox.',
  },
  {
    ask: 'Can I try, change or cancel a plan?',
    answer: `Your first paid plan starts with ${trialDays} days free, and nothing is charged if you cancel before they end. You can change or cancel at any time. A canceled plan stays active until the end of the period you paid for, and you keep your contacts and reports.`,
  },
  {
    ask: 'Are purchased lists allowed?',
    answer:
      'No. You record your lawful basis for contacting people, and everyone can unsubscribe with one click. This protects your sender reputation and your recipients.',
  },
  {
    ask: 'Can I take my data with me?',
    answer: (
      <>
        Yes. Export contacts, campaign recipients and scrape results as CSV at any time, or your whole account as one
        ZIP archive. For the data we store about you, see the{' '}
        <LinkInText to="/privacy-policy">Privacy Policy</LinkInText>.
      </>
    ),
  },
]

export default function PricingPage() {
  return (
    <>
      <section className="mx-auto max-w-300 px-5 pt-16 pb-20 sm:px-8 wide:pt-24">
        <div className="mb-10 text-center">
          <h1 className="text-3xl font-[680] tracking-[-0.035em] sm:text-4xl">Simple pricing, clear limits</h1>
          <p className="mx-auto mt-5 max-w-[52ch] text-read text-text">
            Start free and stay as long as you like. Upgrade for more contacts, Gmail and the scrapers.
          </p>
        </div>
        <PlanCards />
      </section>
      <section className="border-y bg-surface">
        <div className="mx-auto max-w-300 px-5 py-20 sm:px-8">
          <h2 className="text-2xl font-semibold tracking-tight">Compare plans</h2>
          <div className="mt-8">
            <PlanTable />
          </div>
        </div>
      </section>
      <section className="mx-auto grid max-w-300 gap-x-16 gap-y-8 px-5 py-20 sm:px-8 wide:grid-cols-[1fr_2fr] wide:py-28">
        <h2 className="text-2xl font-semibold tracking-tight">Frequently asked questions</h2>
        <div className="border-t">
          {questions.map(({ ask, answer }) => (
            <details key={ask} className="group border-b">
              <summary className="flex list-none items-center justify-between gap-6 py-4 text-md font-medium text-ink [&::-webkit-details-marker]:hidden">
                {ask}
                <span
                  aria-hidden="true"
                  className="text-lg leading-none text-muted transition-transform group-open:rotate-45"
                >
                  +
                </span>
              </summary>
              <p className="max-w-[64ch] pb-5 text-md text-text">{answer}</p>
            </details>
          ))}
        </div>
      </section>
    </>
  )
}
