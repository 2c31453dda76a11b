import { Info } from 'lucide-react'
import type { CampaignStats } from '#contracts/campaign-stats.ts'
import type { Campaign } from '#contracts/campaigns.ts'
import { Card } from '#web/ui/card.tsx'
import { formatNumber, formatShare } from '#web/ui/format.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'

/** People and machines side by side, each rate with its formula. */
export function HumanMachine({ campaign, stats }: { campaign: Campaign; stats: CampaignStats }) {
  const rows = [
    { name: 'Opens', counted: campaign.trackOpens, ...stats.opens },
    { name: 'Clicks', counted: campaign.trackClicks, ...stats.clicks },
  ]
  const cell = 'h-9 border-b px-2 text-right tabular-nums'
  return (
    <Card title="People and machines" description="Mail programs and scanners load pictures and follow links too.">
      <table className="w-full text-base">
        <thead>
          <tr className="text-xs text-muted">
            <th scope="col" className="h-8 border-b text-left font-medium">
              <span className="sr-only">What</span>
            </th>
            {['People', 'By people', 'By machines', 'Total'].map((name) => (
              <th key={name} scope="col" className="border-b px-2 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row" className="border-b text-left font-normal text-text">
                {row.name}
              </th>
              {[row.unique, row.human, row.machine, row.total].map((value, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
                <td key={index} className={`${cell} ${index === 2 ? 'text-muted' : 'text-ink'}`}>
                  {row.counted ? formatNumber(value) : 'unknown'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="mt-4 grid grid-cols-3 gap-3">
        <Rate
          name="Open rate"
          value={stats.rates.open}
          formula="people who opened / delivered. Machines are not in it. Some people open without it being seen."
        />
        <Rate
          name="Click rate"
          value={stats.rates.click}
          formula="people who clicked / delivered. Machines are not in it."
        />
        <Rate
          name="Click to open"
          value={stats.rates.clickToOpen}
          formula="people who clicked / people who opened or clicked. Some click without loading pictures, so openers alone would be too few."
        />
      </dl>
    </Card>
  )
}

function Rate({ name, value, formula }: { name: string; value: number | null; formula: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">
        <Tooltip text={`${name} = ${formula}`}>
          <button type="button" className="inline-flex items-center gap-1 rounded-control text-left hover:text-ink">
            {name} <Info aria-label="What it is made of" className="size-3.5 shrink-0" />
          </button>
        </Tooltip>
      </dt>
      <dd className="text-md font-semibold text-ink tabular-nums">{formatShare(value)}</dd>
    </div>
  )
}
