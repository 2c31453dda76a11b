/** What a backup notes of campaigns that are being sent, and what a restore makes of them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import { z } from 'zod'
import { readJournal } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { formatUtcMoment } from '#server/platform/time/utc-moment.ts'

/** By claim: the messages its journal names, which were handed over or being handed over. */
const Note = z.object({ claims: z.record(z.string(), z.array(z.string())) })
type Note = z.infer<typeof Note>

/** Reads the journals of the claims there are, as `writeBackup` asks for it. One that is gone was settled meanwhile. */
export async function noteClaims(client: pg.ClientBase, journalFolder: string): Promise<Note> {
  const { rows } = await client.query<{ id: string }>('select id::text from claims')
  const claims: Note['claims'] = {}
  for (const { id } of rows) {
    const file = join(journalFolder, `${id}.journal`)
    try {
      if (existsSync(file)) claims[id] = [...readJournal(file).keys()]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return { claims }
}

export interface HeldCampaigns {
  /** Were sending; a person decides whether they go on. */
  paused: number
  /** Were scheduled for a time that has passed; drafts again. */
  unscheduled: number
  /** Messages that were being sent when the backup was made. */
  unconfirmed: number
}

const paused = (at: string) =>
  `Paused: restored from a backup of ${at}. Emails sent after that are not known here. If the campaign went on after it, resuming sends some of them twice.`
const unscheduled = (at: string) =>
  `Restored from a backup of ${at}. The scheduled time passed before the restore, so the campaign was not started.`
const OPEN = 'The backup was made while this message was being sent. It is unknown whether it was sent.'

/** Ends every claim: of those whose journal was noted, what it does not name was not handed over and is queued again. */
async function endClaims(db: Db, note: unknown): Promise<number> {
  const { claims } = Note.catch({ claims: {} }).parse(note)
  const handed = Object.values(claims).flat()
  const open = await sql`
    update messages set state = 'unconfirmed', response = ${OPEN}, attempts = attempts + 1, claim_id = null
    where state = 'claimed' and (id = any(${handed}::bigint[]) or claim_id <> all(${Object.keys(claims)}::bigint[]))`.execute(
    db,
  )
  await sql`
    update messages set state = case when attempts = 0 then 'queued' else 'deferred' end, claim_id = null, due_at = now()
    where state = 'claimed'`.execute(db)
  await db.deleteFrom('claims').execute()
  await db.deleteFrom('senderShares').execute()
  return Number(open.numAffectedRows)
}

/**
 * After a restore: what was sent between the backup and now is not in the database, so nothing is sent unasked. Campaigns
 * pause, those whose time passed are drafts again, and messages that were being sent are unconfirmed. `at`: of the backup;
 * `note`: what `noteClaims` returned then.
 */
export function holdRestored(db: Db, at: Date, note: unknown): Promise<HeldCampaigns> {
  const time = formatUtcMoment(at)
  return db.transaction().execute(async (db) => {
    const unconfirmed = await endClaims(db, note)
    const running = await db
      .updateTable('campaigns')
      .set({ state: 'paused', stateText: paused(time), updatedAt: sql`now()` })
      .where('state', '=', 'sending')
      .where('parentId', 'is', null)
      .executeTakeFirst()
    const overdue = await db
      .updateTable('campaigns')
      .set({ state: 'draft', scheduledAt: null, stateText: unscheduled(time), updatedAt: sql`now()` })
      .where('state', '=', 'scheduled')
      .where('scheduledAt', '<=', sql<Date>`now()`)
      .executeTakeFirst()
    return {
      paused: Number(running.numUpdatedRows),
      unscheduled: Number(overdue.numUpdatedRows),
      unconfirmed,
    }
  })
}
