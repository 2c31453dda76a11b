import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { isPaid, planTools, trialDays } from '#contracts/billing/plans.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { limit, planList, price } from './plan-figures.ts'
import './plan-cards.css'

/** The plan most people are well served with. */
const MIDDLE = 'pro'

/** The four plans with a switch between monthly and yearly prices; from the same source as the limits and billing. */
export function PlanCards() {
  const [search] = useSearchParams()
  // A link such as /plans?interval=year opens with its choice.
  const [interval, setInterval] = useState<'month' | 'year'>(search.get('interval') === 'year' ? 'year' : 'month')
  return (
    <div className="plans">
      <fieldset className="mx-auto flex w-fit rounded-control border bg-sunken p-1 text-base">
        <legend className="sr-only">Billing period</legend>
        <Interval value="month" label="Monthly" chosen={interval} onChoose={setInterval} />
        <Interval value="year" label="Yearly, two months free" chosen={interval} onChoose={setInterval} />
      </fieldset>
      <ul className="mt-10 grid gap-4 sm:grid-cols-2 wide:grid-cols-4">
        {planList.map((plan) => (
          <li
            key={plan.name}
            className={cx(
              'flex flex-col rounded-dialog border bg-surface p-6',
              plan.name === MIDDLE && 'border-accent ring-1 ring-accent',
            )}
          >
            <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <h2 className="text-lg font-semibold">{plan.title}</h2>
              {plan.name === MIDDLE && (
                <span className="rounded-full border border-accent px-2 py-0.5 text-xs font-medium text-accent-text">
                  Most popular
                </span>
              )}
            </div>
            <p className="mt-1 text-base sm:min-h-11 text-muted">{plan.purpose}</p>
            <Price monthly={plan.price.month} yearly={plan.price.year} />
            <PlanButton name={plan.name} title={plan.title} interval={interval} />
            <ul className="mt-6 grid gap-2.5 border-t pt-5 text-base text-text">
              <Allows figure={limit(plan.contacts)} what={plan.contacts === null ? 'on contacts' : 'contacts'} />
              <Allows figure={limit(plan.emails)} what="emails a month" />
              <Allows figure={limit(plan.whatsappMessages)} what="WhatsApp messages a month" />
              <li className="text-muted">
                {isPaid(plan.name)
                  ? 'All tools, including Gmail and both scrapers'
                  : `${planTools.filter((tool) => !tool.paid).length} of ${planTools.length} tools`}
              </li>
            </ul>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface IntervalProps {
  value: 'month' | 'year'
  label: string
  chosen: string
  onChoose: (value: 'month' | 'year') => void
}

function Interval({ value, label, chosen, onChoose }: IntervalProps) {
  return (
    <label className="relative rounded-[4px] px-4 py-1.5 font-medium text-muted has-checked:bg-raised has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--color-line)] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text">
      <input
        type="radio"
        name="interval"
        value={value}
        defaultChecked={value === chosen}
        onChange={() => onChoose(value)}
        className="absolute inset-0 size-full cursor-pointer appearance-none outline-none"
      />
      {label}
    </label>
  )
}

function Price({ monthly, yearly }: { monthly: number; yearly: number }) {
  const figure = 'text-3xl font-[680] tracking-[-0.035em] text-ink tabular-nums'
  return (
    <div className="mt-5 min-h-20">
      <p className="price-month">
        <span className={figure}>{price(monthly)}</span>
        <span className="text-base text-muted"> a month</span>
      </p>
      <p className="price-year">
        <span className={figure}>{price(yearly)}</span>
        <span className="text-base text-muted"> a year</span>
      </p>
      <p className="mt-1 text-sm text-muted">
        {monthly === 0 ? 'No credit card required' : `The first ${trialDays} days are free. Taxes not included`}
      </p>
    </div>
  )
}

function PlanButton({ name, title, interval }: { name: string; title: string; interval: string }) {
  if (!isPaid(name))
    return (
      <ButtonLink to="/signup" className="mt-4">
        Start free
      </ButtonLink>
    )
  return (
    <ButtonLink
      kind={name === MIDDLE ? 'primary' : 'secondary'}
      to="/signup"
      state={{ from: { pathname: '/plan', search: `?choose=${name}&interval=${interval}` } }}
      className="mt-4"
    >
      {`Choose ${title}`}
    </ButtonLink>
  )
}

function Allows({ figure, what }: { figure: string; what: string }) {
  return (
    <li>
      <strong className="font-semibold text-ink tabular-nums">{figure}</strong> {what}
    </li>
  )
}
