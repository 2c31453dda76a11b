import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'

/** Campaigns whose name or subject holds a text, newest first; follow-ups and emails of journeys are part of theirs. */
export function findCampaigns(db: Db, workspaceId: string, text: string, limit: number) {
  const pattern = holding(text)
  return db
    .selectFrom('campaigns')
    .where('workspaceId', '=', workspaceId)
    .where('parentId', 'is', null)
    .where('journeyId', 'is', null)
    .where(({ fn, or, eb }) =>
      or([eb(fn('lower', ['name']), 'like', pattern), eb(fn('lower', ['subject']), 'like', pattern)]),
    )
    .select(['id', 'name', 'channel', 'state'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
