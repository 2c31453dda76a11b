import { isPaid, planTools } from '#contracts/billing/plans.ts'
import { limit, planList, price } from './plan-figures.ts'

const figures: { name: string; of: (plan: (typeof planList)[number]) => string }[] = [
  { name: 'Price per month', of: (plan) => price(plan.price.month) },
  { name: 'Price per year', of: (plan) => price(plan.price.year) },
  { name: 'Contacts', of: (plan) => limit(plan.contacts) },
  { name: 'Emails a month', of: (plan) => limit(plan.emails) },
  { name: 'WhatsApp messages a month', of: (plan) => limit(plan.whatsappMessages) },
  { name: 'Senders', of: (plan) => limit(plan.senders) },
  { name: 'Sending domains', of: (plan) => limit(plan.domains) },
  { name: 'Web pages scraped a month', of: (plan) => limit(plan.pages) },
  { name: 'Users', of: (plan) => limit(plan.seats) },
]

/** Everything side by side. On a phone the table is scrolled inside its frame. */
export function PlanTable() {
  return (
    <section
      aria-label="Compare plans"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be scrollable by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-card border bg-surface"
    >
      <table className="w-full min-w-140 text-base">
        <caption className="sr-only">Prices and limits of each plan</caption>
        <thead>
          <tr className="border-b text-left">
            <th
              scope="col"
              className="sticky left-0 h-12 w-38 bg-surface px-4 font-medium text-muted sm:w-auto sm:px-5"
            >
              Plan
            </th>
            {planList.map((plan) => (
              <th key={plan.name} scope="col" className="px-4 text-right font-semibold text-ink">
                {plan.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figures.map((row) => (
            <tr key={row.name} className="border-b">
              <th
                scope="row"
                className="sticky left-0 h-11 w-38 bg-surface px-4 py-1.5 text-left font-normal text-text sm:w-auto sm:px-5"
              >
                {row.name}
              </th>
              {planList.map((plan) => (
                <td key={plan.name} className="px-4 text-right text-ink">
                  {row.of(plan)}
                </td>
              ))}
            </tr>
          ))}
          {planTools.map((tool) => (
            <tr key={tool.name} className="border-b last:border-0">
              <th
                scope="row"
                className="sticky left-0 h-11 w-38 bg-surface px-4 py-1.5 text-left font-normal text-text sm:w-auto sm:px-5"
              >
                {tool.name}
              </th>
              {planList.map((plan) => (
                <td key={plan.name} className="px-4 text-right">
                  {!tool.paid || isPaid(plan.name) ? (
                    <span className="font-medium text-good-text">yes</span>
                  ) : (
                    <span className="text-muted">no</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
