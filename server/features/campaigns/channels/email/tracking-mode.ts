/** How opens and clicks are tracked: as it is chosen, and as it is stored. */
import { type RawBuilder, sql } from 'kysely'
import type { TrackingMode } from '#contracts/campaigns/campaign.ts'

export interface TrackingChoice {
  trackOpens: boolean
  trackClicks: boolean
  trackingMode: TrackingMode
}

/**
 * `trackOpens` and `trackClicks` are stored as true only where those of each recipient are known, so that whatever shows or asks for
 * these needs no look at the mode. What is counted in total alone is named in `totalsOf`.
 */
interface StoredTracking {
  trackOpens: boolean
  trackClicks: boolean
  totalsOf: string[] | null
}

export const readTracking = ({ trackOpens, trackClicks, totalsOf }: StoredTracking): TrackingChoice => ({
  trackOpens: totalsOf?.includes('opens') ?? trackOpens,
  trackClicks: totalsOf?.includes('clicks') ?? trackClicks,
  trackingMode: totalsOf === null ? 'individual' : 'aggregate',
})

/** The columns of a new campaign. */
export function toTracking({
  trackOpens = true,
  trackClicks = true,
  trackingMode = 'individual',
}: Partial<TrackingChoice>): StoredTracking {
  if (trackingMode === 'individual') return { trackOpens, trackClicks, totalsOf: null }
  const totalsOf = [...(trackOpens ? ['opens'] : []), ...(trackClicks ? ['clicks'] : [])]
  return { trackOpens: false, trackClicks: false, totalsOf }
}

type ChangedTracking = { [Column in keyof StoredTracking]: RawBuilder<StoredTracking[Column]> }

/** The columns of an update of `campaigns`, from what its row has then; of no change none. */
export function changeTracking({
  trackOpens,
  trackClicks,
  trackingMode,
}: Partial<TrackingChoice>): Partial<ChangedTracking> {
  if (trackOpens === undefined && trackClicks === undefined && trackingMode === undefined) return {}
  const opens = isWanted(trackOpens, 'opens', sql`track_opens`)
  const clicks = isWanted(trackClicks, 'clicks', sql`track_clicks`)
  const isTotal =
    trackingMode === undefined ? sql`totals_of is not null` : sql`${trackingMode === 'aggregate'}::boolean`
  return {
    trackOpens: sql`(${opens}) and not (${isTotal})`,
    trackClicks: sql`(${clicks}) and not (${isTotal})`,
    totalsOf: sql`case when ${isTotal} then array_remove(array[case when ${opens} then 'opens' end, case when ${clicks} then 'clicks' end], null) end`,
  }
}

const isWanted = (given: boolean | undefined, what: string, column: RawBuilder<unknown>) =>
  given === undefined ? sql`${column} or coalesce(${what} = any(totals_of), false)` : sql`${given}::boolean`
