// biome-ignore-all lint/a11y/noRedundantRoles: the phone's layout takes the table display away, and the roles with it
import { isPaid, planTools } from '#contracts/billing/plans.ts'
import { cx } from '#web/ui/lib/class-names.ts'
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

const line = 'border-b max-sm:grid max-sm:grid-cols-[3fr_4fr_4fr_5fr] max-sm:px-2.5 max-sm:py-2'
const lineName = 'py-1.5 text-left font-normal text-text max-sm:col-span-4 sm:h-11 sm:px-5'
const cell = 'text-right max-sm:pl-0.5 max-sm:text-sm sm:px-4'

/** Everything side by side. On a phone each line has its name above its four values, and the names of the plans stay in sight. */
export function PlanTable() {
  return (
    <section aria-label="Compare plans" className="rounded-card border bg-surface">
      <table role="table" className="w-full text-base max-sm:block">
        <caption className="sr-only">Prices and limits of each plan</caption>
        <thead
          role="rowgroup"
          className="max-sm:sticky max-sm:top-16 max-sm:block max-sm:rounded-t-card max-sm:bg-surface"
        >
          <tr role="row" className={cx(line, 'text-left')}>
            <th role="columnheader" scope="col" className="h-12 font-medium text-muted max-sm:sr-only sm:px-5">
              Plan
            </th>
            {planList.map((plan) => (
              <th key={plan.name} role="columnheader" scope="col" className={cx(cell, 'font-semibold text-ink')}>
                {plan.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-sm:block">
          {figures.map((row) => (
            <tr key={row.name} role="row" className={line}>
              <th role="rowheader" scope="row" className={lineName}>
                {row.name}
              </th>
              {planList.map((plan) => (
                <td key={plan.name} role="cell" className={cx(cell, 'text-ink tabular-nums')}>
                  {row.of(plan)}
                </td>
              ))}
            </tr>
          ))}
          {planTools.map((tool) => (
            <tr key={tool.name} role="row" className={cx(line, 'last:border-0')}>
              <th role="rowheader" scope="row" className={lineName}>
                {tool.name}
              </th>
              {planList.map((plan) => (
                <td key={plan.name} role="cell" className={cell}>
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
