import type { z } from 'zod'
import type { GmailCurves, gmailAnalytics } from '#contracts/gmail/analytics.ts'
import type { Db } from '#server/platform/db/database.ts'
import { rated, toScope } from './analytics.ts'
import * as store from './store.ts'

const units = { hour: { ms: 3_600_000, most: 72 }, day: { ms: 86_400_000, most: 60 } }

/** Campaigns over each other, from the first email of each on. Throws Refusal 400. */
export async function showCurves(
  db: Db,
  workspaceId: string,
  query: z.output<typeof gmailAnalytics.curves.query>,
): Promise<GmailCurves> {
  const scope = toScope(workspaceId, query)
  const { ms, most } = units[query.unit]
  const rows = await store.sinceFirst(db, scope, ms / 1_000)
  const campaigns = await store.firstEmails(db, scope)
  return {
    unit: query.unit,
    campaigns: campaigns.map(({ firstAt, ...row }) => {
      // The stretch that is under way is the last one.
      const length = Math.min(most, Math.max(1, Math.ceil((Date.now() - firstAt.getTime()) / ms)))
      const curve = addedUp(
        rows.filter(({ id }) => id === row.id),
        length,
      )
      return { ...rated(row), firstAt: firstAt.toISOString(), curve }
    }),
  }
}

function addedUp(rows: { stretch: number; engaged: number; times: number }[], length: number) {
  const sum = { engaged: 0, times: 0 }
  const byStretch = new Map(rows.map((row) => [row.stretch, row]))
  return Array.from({ length }, (_, stretch) => {
    sum.engaged += byStretch.get(stretch)?.engaged ?? 0
    sum.times += byStretch.get(stretch)?.times ?? 0
    return { after: stretch + 1, ...sum }
  })
}
