import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import type { Db } from '#server/platform/db/database.ts'
import { CLASSIFIER } from '../classify.ts'
import { countReceivers, noteReported } from './receivers-store.ts'

/** Receivers by name; the others are one row. */
const MAX_NAMED = 20

/** What is known of a campaign's emails: a figure of the rest is null. */
interface KnownFigures {
  trackOpens: boolean
  trackClicks: boolean
  bounces: boolean
  complaints: boolean
}

/** What became of a campaign's emails at each receiver; null is what nobody can know. */
export async function campaignReceivers(
  db: Db,
  workspaceId: string,
  campaignId: string,
  known: KnownFigures,
): Promise<CampaignStats['receivers']> {
  const rows = await countReceivers(db, workspaceId, campaignId, MAX_NAMED)
  return rows.map((row) => ({
    ...row,
    opened: known.trackOpens ? row.opened : null,
    clicked: known.trackClicks ? row.clicked : null,
    bounced: known.bounces || row.bounced > 0 ? row.bounced : null,
    complained: known.complaints || row.complained > 0 ? row.complained : null,
  }))
}

/** Notes once that a person reported a message as spam or unsubscribed by their mailbox, in the transaction `db`. Returns whether it is new. */
export const noteReport = (db: Db, workspaceId: string, messageId: string, kind: 'complaint' | 'unsubscribe') =>
  noteReported(db, workspaceId, messageId, { kind, classifier: CLASSIFIER })
