import { LinkInText } from '../layout/link-in-text.tsx'
import { pageMeta } from '../layout/page-meta.ts'
import type { Route } from './+types/plans-page.ts'
import { PlanCards } from './plan-cards.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Plans · Postlark',
    description: 'Choose a plan: free, starter, pro or business, monthly or yearly.',
    path: '/plans',
    image: 'pricing',
  })

/** The plans to choose from, without the talk. */
export default function PlansPage() {
  return (
    <section className="mx-auto max-w-300 px-5 pt-14 pb-24 sm:px-8 wide:pt-20">
      <h1 className="text-center text-2xl font-semibold tracking-tight sm:text-3xl">Choose a plan</h1>
      <p className="mx-auto mt-3 mb-10 max-w-[52ch] text-center text-md text-muted">
        See all limits and frequently asked questions on the <LinkInText to="/pricing">pricing page</LinkInText>.
      </p>
      <PlanCards />
    </section>
  )
}
