import { currency, isPaid, type Plan, plans, planTools, trialDays } from '#contracts/billing/plans.ts'
import { wholeList } from '#server/platform/http/page.ts'

/** What of a plan is a limit. */
export const limitsIn = ({ contacts, emails, senders, pages, whatsappMessages, seats }: Plan) => ({
  contacts,
  emails,
  senders,
  pages,
  whatsappMessages,
  seats,
})

/** Every plan as anybody may read it. */
export function listPlans(payments: 'real' | 'sandbox' | 'none') {
  const items = Object.entries(plans).map(([name, plan]) => ({
    name: name as keyof typeof plans,
    title: plan.title,
    purpose: plan.purpose,
    price: plan.price,
    limits: limitsIn(plan),
    tools: planTools.filter((tool) => !tool.paid || isPaid(name)).map((tool) => tool.name),
  }))
  return { currency, trialDays, payments, ...wholeList(items) }
}
