import { Info } from 'lucide-react'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, formatShare } from '#web/ui/lib/format.ts'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'

/** People and machines side by side, each rate with its formula. */
export function HumanMachine({ campaign, stats }: { campaign: Campaign; stats: CampaignStats }) {
  const rows = [
    { name: 'Opens', counted: campaign.trackOpens, ...stats.opens },
    { name: 'Clicks', counted: campaign.trackClicks, ...stats.clicks },
  ]
  const cell = 'h-9 border-b px-2 text-right tabular-nums'
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
          formula="people who opened / delivered. Bots are excluded. Some opens can’t be detected."
        />
        <Rate
          name="Click rate"
          value={stats.rates.click}
          formula="people who clicked / delivered. Bots are excluded."
        />
        <Rate
          name="Click to open"
          value={stats.rates.clickToOpen}
          formula="people who clicked / people who opened or clicked. Some people click without loading images, so people who opened alone would be too few."
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
            {name} <Info aria-label="How it is calculated" className="size-3.5 shrink-0" />
          </button>
        </Tooltip>
      </dt>
      <dd className="text-md font-semibold text-ink tabular-nums">{formatShare(value)}</dd>
    </div>
  )
}
