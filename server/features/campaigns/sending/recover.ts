import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { sql } from 'kysely'
import { listOrphans, type Orphan, type Outcome, readJournal } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { bootId } from '#server/platform/process-identity.ts'
import { settleWhatsApp } from '../whatsapp/settle.ts'
import { claimById, endClaim, silentClaims } from './claims.ts'
import { type Settled, settle } from './settle.ts'

/** Whether a boot, or a worker as claims name it, is of this run of the machine. Where the system does not tell, it is. */
const isOfThisBoot = (name: string) => name.endsWith(bootId())

const OURS_SILENT_SECONDS = 30
// A worker on another machine: its journal cannot be read from here, so its silence must be certain.
const THEIRS_SILENT_SECONDS = 15 * 60

/**
 * Settles what dead processes left behind. Their journals say which messages were answered (the outcome is written), which
 * were handed over without an answer (unconfirmed, never sent again unasked) and, by saying nothing, which were not handed
 * over (back to the queue). A machine that lost its power may have lost a journal's last lines, or all of it: after a
 * restart of the machine, saying nothing proves nothing, and those are unconfirmed too.
 * `alone`: no other process can be at work, so silence needs no waiting.
 */
export async function recover(
  db: Db,
  folder: string,
  home: string,
  active: Set<string>,
  alone: boolean,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<void> {
  // One thread sends in a process: a journal of another thread of this process is of one that ended.
  for (const orphan of listOrphans(folder, (owner) => owner.pid === process.pid && owner.thread !== threadId)) {
    if (active.has(orphan.claimId)) continue
    await settleJournal(db, orphan, log)
    rmSync(orphan.file, { force: true })
  }
  for (const claim of await silentClaims(db, home, true, alone ? 0 : OURS_SILENT_SECONDS)) {
    // With a journal it is settled by that, above, once its owner is gone; silent is not gone.
    if (active.has(claim.id) || existsSync(join(folder, `${claim.id}.journal`))) continue
    if (isOfThisBoot(claim.worker)) await endClaim(db, claim.id)
    else await giveUp(db, claim.id, POWER_LOST, log)
  }
  for (const claim of await silentClaims(db, home, false, THEIRS_SILENT_SECONDS))
    await giveUp(db, claim.id, WORKER_LOST, log)
}

async function settleJournal(db: Db, { claimId, file, owner }: Orphan, log: Pick<Log, 'info'>): Promise<void> {
  const claim = await claimById(db, claimId)
  if (!claim) return
  const campaign = await db
    .selectFrom('campaigns')
    .where('id', '=', claim.campaignId)
    .select(['id', 'workspaceId', 'channel'])
    .executeTakeFirst()
  if (!campaign) return
  const entries = readJournal(file)
  const rows = await db
    .selectFrom('messages')
    .where('id', 'in', claim.messageIds)
    .where('claimId', '=', claimId)
    .where('state', '=', 'claimed')
    .select(['id', 'attempts', 'firstAttemptAt'])
    .execute()
  const isWhole = isOfThisBoot(owner?.boot ?? claim.worker)
  const settled: Settled[] = rows.flatMap(({ id, attempts, firstAttemptAt }) => {
    const entry = entries.get(id) ?? (isWhole ? undefined : 'lost')
    if (!entry) return []
    const outcome = entry === 'handing' ? unconfirmed(ANSWER_LOST) : entry === 'lost' ? unconfirmed(POWER_LOST) : entry
    return [{ id, attempts, firstAttemptAt, outcome }]
  })
  await (campaign.channel === 'whatsapp' ? settleWhatsApp : settle)(db, campaign, claimId, settled)
  await endClaim(db, claimId)
  log.info(
    { claimId, settled: settled.length, released: rows.length - settled.length },
    'settled what a stopped process left behind',
  )
}

const ANSWER_LOST = 'The sending process ended after handing the message over and before its answer.'
const POWER_LOST = 'The machine stopped while this message was being sent: whether it left cannot be known.'
const WORKER_LOST =
  'The worker that had this message is gone, and its journal with it: whether it left cannot be known.'

function unconfirmed(response: string): Outcome {
  return { kind: 'unconfirmed', code: null, enhanced: null, response, class: null, at: new Date().toISOString() }
}

/** A claim whose journal is lost: whether its messages left cannot be known. */
async function giveUp(db: Db, claimId: string, response: string, log: Pick<Log, 'warn'>): Promise<void> {
  await db.transaction().execute(async (db) => {
    await sql`update messages set state = 'unconfirmed', response = ${response}, claim_id = null, attempts = attempts + 1
      where id = any((select message_ids from claims where id = ${claimId})::bigint[]) and claim_id = ${claimId} and state = 'claimed'`.execute(
      db,
    )
    await db.deleteFrom('claims').where('id', '=', claimId).execute()
  })
  log.warn({ claimId }, 'gave up a claim of a worker that is gone')
}
