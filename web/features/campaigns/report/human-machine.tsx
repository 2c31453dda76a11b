import { Link } from 'react-router'
import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import type { EmailFacts } from './email-figures.tsx'
import type { PeopleLink } from './people/people-links.ts'

/** Opens and clicks by people and by bots, side by side. */
export function HumanMachine({
  facts,
  stats,
  people,
}: {
  facts: EmailFacts
  stats: CampaignStats
  people: PeopleLink
}) {
  const found = facts.trackingMode === 'individual' ? people : undefined
  const rows = [
    { name: 'Opens', event: 'opened' as const, counted: facts.trackOpens, ...stats.opens },
    { name: 'Clicks', event: 'clicked' as const, counted: facts.trackClicks, ...stats.clicks },
  ]
  return (
    <Card title="Opens and clicks" description="Email apps and security scanners also load images and follow links.">
      <table className="w-full text-base">
        <thead>
          <tr className="text-xs text-muted">
            <th scope="col" className="h-8 border-b text-left font-medium">
              <span className="sr-only">Event</span>
            </th>
            {['People', 'By people', 'By bots', 'Total'].map((name) => (
              <th key={name} scope="col" className="border-b px-2 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, event, counted, unique, human, machine, total }) => (
            <tr key={name}>
              <th scope="row" className="border-b text-left font-normal text-text">
                {name}
              </th>
              {counted ? (
                <>
                  <Cell value={unique} to={found?.({ event })} />
                  <Cell value={human} to={found?.({ event })} />
                  <Cell value={machine} to={found?.({ event, machine: true })} isQuiet />
                  <Cell value={total} to={undefined} />
                </>
              ) : (
                // Said once: four times is wider than a phone.
                <td colSpan={4} className="h-9 border-b px-2 text-right text-muted">
                  unknown
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function Cell({ value, to, isQuiet = false }: { value: number | null; to: string | undefined; isQuiet?: boolean }) {
  return (
    <td className={`h-9 border-b px-2 text-right tabular-nums ${isQuiet ? 'text-muted' : 'text-ink'}`}>
      {value && to ? (
        <Link to={to} className="rounded-control hover:underline">
          {formatNumber(value)}
        </Link>
      ) : (
        formatNumber(value)
      )}
    </td>
  )
}
