import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

export interface ShareRow {
  id: string
  createdAt: Date
  expiresAt: Date | null
  lastViewedAt: Date | null
}

const shown = ['id', 'createdAt', 'expiresAt', 'lastViewedAt'] as const

/** The links to a report that work, newest first. */
export function listShares(db: Db, workspaceId: string, campaignId: string): Promise<ShareRow[]> {
  return db
    .selectFrom('campaignShares')
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', '=', campaignId)
    .where('revokedAt', 'is', null)
    .where((is) => is.or([is('expiresAt', 'is', null), is('expiresAt', '>', sql<Date>`now()`)]))
    .select(shown)
    .orderBy('id', 'desc')
    .execute()
}

/** Stores a link, in a transaction; undefined when the campaign has `limit` links that work. */
export async function insertShare(
  db: Db,
  share: { workspaceId: string; campaignId: string; tokenHash: string; expiresAt: Date | null },
  limit: number,
): Promise<ShareRow | undefined> {
  const { workspaceId, campaignId } = share
  // Two at once would both find room for one.
  await db
    .selectFrom('campaigns')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', campaignId)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  if ((await listShares(db, workspaceId, campaignId)).length >= limit) return
  return db.insertInto('campaignShares').values(share).returning(shown).executeTakeFirstOrThrow()
}

/** Ends a link. Returns whether it is one of the campaign. */
export async function revokeShare(db: Db, workspaceId: string, campaignId: string, id: string): Promise<boolean> {
  const row = await db
    .updateTable('campaignShares')
    .set({ revokedAt: sql<Date>`coalesce(revoked_at, (select now()))` })
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', '=', campaignId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** What a link that works leads to; undefined: it never did, or does not any more. */
export async function findShare(
  db: Db,
  tokenHash: string,
): Promise<{ id: string; workspaceId: string; campaignId: string } | undefined> {
  return db
    .selectFrom('campaignShares')
    .where('tokenHash', '=', tokenHash)
    .where('revokedAt', 'is', null)
    .where((is) => is.or([is('expiresAt', 'is', null), is('expiresAt', '>', sql<Date>`now()`)]))
    .select(['id', 'workspaceId', 'campaignId'])
    .executeTakeFirst()
}

/** Notes that somebody looked. */
export async function noteView(db: Db, { id, workspaceId }: { id: string; workspaceId: string }): Promise<void> {
  await db
    .updateTable('campaignShares')
    .set({ lastViewedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}
