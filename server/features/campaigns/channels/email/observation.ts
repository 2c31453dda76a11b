import { sql } from 'kysely'
import type { Observation } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/**
 * What the workspace's bounce sources can tell of a campaign, and since when. Bounces that mail servers return are told of by
 * `listener` only where they return here.
 */
export async function observeBySources(db: Db, workspaceId: string, campaignId: string): Promise<Observation> {
  const { rows } = await sql<{ since: Date | null }>`
    select greatest(c.started_at, min(s.created_at)) as since
    from campaigns c join bounce_sources s on s.workspace_id = c.workspace_id and (s.kind <> 'listener' or c.has_return_path)
    where c.workspace_id = ${workspaceId} and c.id = ${campaignId}
    group by c.started_at`.execute(db)
  const [found] = rows
  return { bounces: found !== undefined, complaints: found !== undefined, since: found?.since ?? null }
}

/** Notes that bounces of a campaign return to this installation. */
export async function noteReturnPath(db: Db, campaignId: string): Promise<void> {
  await sql`update campaigns set has_return_path = true where id = ${campaignId} and not has_return_path`.execute(db)
}
