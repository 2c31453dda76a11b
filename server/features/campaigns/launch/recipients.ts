/** The recipients of a campaign that is being launched: written in slices, and removed again where it does not start. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { type Audience, type CampaignAudience, compileAudience, SLOW } from '../audience/audience.ts'
import { findRanges } from '../audience/ranges.ts'
import { type Attempt, inTurn } from './attempt.ts'

/** Why a campaign that is about to start has no audience, in words. It is a draft again, and nothing of it was written. */
export class AudienceFault extends Error {}

/** The audience that is written. Throws AudienceFault. */
export async function requireAudience(db: Db, of: CampaignAudience | undefined): Promise<Audience> {
  const { audience, problems } = of ? await compileAudience(db, of) : { problems: [] }
  if (!audience) throw new AudienceFault(problems[0]?.message ?? 'It was deleted.')
  return audience
}

/** All slices of an audience with segments together. It may take longer than a count: nobody waits for it at a screen. */
const MAX_SEGMENTS_MS = 120_000

/** Slices of a campaign that are written at once. Each takes the time of one processor; their contacts are never the same. */
const AT_ONCE = 2

/**
 * Writes the recipients, each slice of `size` contacts in a transaction of its own, two at once. Returns whether all are written; else
 * the campaign is not this attempt's any more. Throws AudienceFault, and what `signal` aborts with. Nothing is written after it returned.
 */
export async function writeRecipients(
  db: Db,
  attempt: Attempt,
  audience: Audience,
  { size, signal }: { size: number; signal: AbortSignal },
  write: (db: Db, slice: Audience) => Promise<void>,
): Promise<boolean> {
  const ends = performance.now() + MAX_SEGMENTS_MS
  const ranges = findRanges(db, audience, size)
  const writeSlices = async () => {
    // A loop that is left ends the ranges of the other.
    for await (const range of ranges) {
      signal.throwIfAborted()
      const slice = async (db: Db) => {
        const left = Math.max(1, Math.ceil(ends - performance.now()))
        if (audience.hasSegments) await sql`set local statement_timeout = ${sql.lit(left)}`.execute(db)
        await write(db, audience.among(range))
        return true
      }
      const isWritten = await inTurn(db, attempt, ['own'], slice, { isBeside: true }).catch((error: unknown) => {
        if (audience.hasSegments && (error as { code?: string }).code === '57014') throw new AudienceFault(SLOW)
        throw error
      })
      if (!isWritten) return false
    }
    return true
  }
  const written = await Promise.allSettled(Array.from({ length: AT_ONCE }, writeSlices))
  const failed = written.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return written.every((one) => one.status === 'fulfilled' && one.value)
}

/** Messages a transaction that removes some. */
const REMOVED = 20_000

/** Removes what was written of a campaign that does not start: none of its messages was ever claimed. */
export async function removeRecipients(db: Db, attempt: Attempt): Promise<void> {
  // A contact that was merged into an older one moved to where the walk had been: it ends when a whole one found nothing.
  while (await removeOnce(db, attempt));
}

/** Walks along the contacts, so that no slice reads again what the one before it removed. Returns whether any message was there. */
async function removeOnce(db: Db, attempt: Attempt): Promise<boolean> {
  const { workspaceId, id } = attempt
  const removeAfter = (after: string) =>
    inTurn(db, attempt, ['own', 'ended'], async (db) => {
      const { rows } = await sql<{ last: string | null }>`
        with part as materialized (
          select id, contact_id from messages where workspace_id = ${workspaceId} and campaign_id = ${id} and contact_id > ${after}
          order by contact_id limit ${REMOVED}
        ), gone as (delete from messages where workspace_id = ${workspaceId} and id = any(array(select id from part)))
        select max(contact_id) as last from part`.execute(db)
      return rows[0]?.last ?? undefined
    })
  let after = await removeAfter('0')
  const isAny = after !== undefined
  while (after !== undefined) after = await removeAfter(after)
  return isAny
}
