import { currency, trialDays } from '#contracts/plans.ts'
import type { Route } from './+types/pricing-page.ts'
import { LinkInText } from './link-in-text.tsx'
import { pageMeta } from './page-meta.ts'
import { PlanCards } from './plan-cards.tsx'
import { planList } from './plan-figures.ts'
import { PlanTable } from './plan-table.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Pricing · Postlark',
    description: 'Free for 500 contacts and 1,000 e-mails a month. Paid plans with plain limits, monthly or yearly.',
    path: '/pricing',
    picture: 'pricing',
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
    answer: 'Yes, with no time limit and no card. The table above lists its limits and the tools it includes.',
  },
  {
    ask: 'What happens when a limit is reached?',
    answer:
      'You are told before it is. Once it is used up, a campaign waits or stops and says so; nothing is sent beyond it and nothing is charged by itself.',
  },
  {
    ask: 'Which contacts count?',
    answer: 'Everybody you keep, once, on however many lists. Remove somebody, and the place is free again.',
  },
  {
    ask: 'Does a failed e-mail count?',
    answer: 'No. Only what a mail server took counts; what failed or was held back does not.',
  },
  {
    ask: 'Do I need my own mail server?',
    answer:
      'For real mail, yes: any SMTP server or mailbox will do, and the paid plans can send through Gmail. Until then everything works in the sandbox.',
  },
  {
    ask: 'Can I try a plan, change it or leave it?',
    answer: `Your first paid plan begins with ${trialDays} days free of charge, and nothing is charged if you cancel before they are over. You change or leave at any time. A cancelled plan stays until the time you paid for is over; your contacts and reports stay.`,
  },
  {
    ask: 'Are purchased lists allowed?',
    answer:
      'No. You record why you may write to somebody, and everybody can leave with one click. It protects your name as much as theirs.',
  },
  {
    ask: 'Can I take my data with me?',
    answer: (
      <>
        Yes. Export contacts, recipients of a campaign and scrape results as CSV at any time, or your whole account as
        one ZIP archive. What we keep about you is in the <LinkInText to="/privacy-policy">Privacy Policy</LinkInText>.
      </>
    ),
  },
]

export default function PricingPage() {
  return (
    <>
      <section className="mx-auto max-w-300 px-5 pt-16 pb-20 sm:px-8 wide:pt-24">
        <div className="mb-10 text-center">
          <h1 className="text-3xl font-[680] tracking-[-0.035em] sm:text-4xl">Plain prices, plain limits</h1>
          <p className="mx-auto mt-5 max-w-[52ch] text-read text-text">
            Begin free and stay as long as you like. A larger plan is for a longer list, and for Gmail and the scrapers.
          </p>
        </div>
        <PlanCards />
      </section>
      <section className="border-y bg-surface">
        <div className="mx-auto max-w-300 px-5 py-20 sm:px-8">
          <h2 className="text-2xl font-semibold tracking-tight">Side by side</h2>
          <div className="mt-8">
            <PlanTable />
          </div>
        </div>
      </section>
      <section className="mx-auto grid max-w-300 gap-x-16 gap-y-8 px-5 py-20 sm:px-8 wide:grid-cols-[1fr_2fr] wide:py-28">
        <h2 className="text-2xl font-semibold tracking-tight">Questions people ask</h2>
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
