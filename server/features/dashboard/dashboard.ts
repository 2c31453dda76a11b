import type { Dashboard } from '#contracts/dashboard/dashboard.ts'
import { foundSince } from '#server/features/collector/index.ts'
import { openedAndClicked } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import * as store from './store.ts'

const DAYS_MS = 30 * 86_400_000

/** What happened in the last 30 days, what comes next, and how far the first campaign is. */
export async function showDashboard(db: Db, workspaceId: string): Promise<Dashboard> {
  const since = new Date(Date.now() - DAYS_MS)
  const campaigns = await store.begunSince(db, workspaceId, since)
  const there = await store.whatIsThere(db, workspaceId)
  const next = await store.nextScheduled(db, workspaceId)
  const engaged = await openedAndClicked(
    db,
    workspaceId,
    campaigns.map((campaign) => campaign.id),
  )
  const sent = campaigns.reduce((sum, campaign) => sum + Number(campaign.sent), 0)
  // Nobody opened what was not sent; who opened what was sent without tracking, nobody knows.
  const known = (tracked: 'trackOpens' | 'trackClicks') =>
    sent === 0 || campaigns.some((campaign) => campaign[tracked] && Number(campaign.sent) > 0)
  const total = (part: 'opened' | 'clicked') => [...engaged.values()].reduce((sum, counts) => sum + counts[part], 0)
  return {
    since: since.toISOString(),
    sent,
    opened: known('trackOpens') ? total('opened') : null,
    clicked: known('trackClicks') ? total('clicked') : null,
    found: await foundSince(db, workspaceId, since),
    next: next?.scheduledAt ? { id: next.id, name: next.name, at: next.scheduledAt.toISOString() } : null,
    // A campaign may carry its own HTML: what was sent had a template in one way or the other.
    steps: { ...there, template: there.template || there.sent, campaign: there.campaign || there.sent },
  }
}
