import { useLocation } from 'react-router'
import type { collector } from '#contracts/collector/collector.ts'
import type { ResponseBody } from '#contracts/endpoint.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'

const SHOWN = 50

/** Addresses that were not taken when the crawl job began; the answer to its beginning came along to this page. */
export function Refused({ isReading }: { isReading: boolean }) {
  const state = useLocation().state as Partial<Pick<ResponseBody<typeof collector.create>, 'refused'>> | null
  const refused = state?.refused ?? []
  if (refused.length === 0) return null
  return (
    <Banner
      tone="attention"
      title={`${plural(refused.length, 'URL')} could not be used.${isReading ? ' The others are being read.' : ''}`}
    >
      <ul className="mt-1 max-h-40 space-y-0.5 overflow-y-auto">
        {refused.slice(0, SHOWN).map(({ url, reason }) => (
          <li key={url} className="wrap-anywhere">
            <span className="font-medium">{url || 'An empty line'}</span>: {reason}
          </li>
        ))}
        {refused.length > SHOWN && <li>and {formatNumber(refused.length - SHOWN)} more</li>}
      </ul>
    </Banner>
  )
}
