import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import {
  type JournalEntry,
  type JournalOwner,
  listOrphans,
  type Orphan,
  type Outcome,
  readJournal,
} from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { timeNow } from '#server/platform/db/spread.ts'
import type { Log } from '#server/platform/log.ts'
import { bootId } from '#server/platform/process-identity.ts'
import { findChannel } from '../channels/index.ts'
import { type ClaimKey, deleteClaim, endClaim, forgetGivenUp, LEASE_SECONDS, silentClaims, takeOver } from './claims.ts'
import { holdCampaign } from './finish.ts'
import type { ClaimLeases } from './lease.ts'
import type { Settled } from './settle.ts'

/** Whether a boot, or a worker as claims name it, is of this run of the machine. Where the system does not tell, it is. */
const isOfThisBoot = (name: string) => name.endsWith(bootId())

/** A worker on another machine: its journal cannot be read from here. Two leases, so that a restart in time settles its claims by itself. */
const THEIRS_SILENT_SECONDS = 2 * LEASE_SECONDS
/** A journal without a claim that nobody has written to for so long is of a worker that never returned for it. */
const FORGOTTEN_MS = 3_600_000

interface Scene {
  db: Db
  folder: string
  home: string
  claims: Pick<ClaimLeases, 'has'>
  /** No other thread can be at work, so silence needs no waiting. */
  alone: boolean
  /** Whether who holds a journal has certainly ended. */
  isGone(owner: JournalOwner): boolean
  log: Pick<Log, 'info' | 'warn'>
}

/**
 * Settles what dead processes left behind. Their journals say which messages were answered (the outcome is written), which
 * were handed over without an answer (unconfirmed, never sent again unasked) and, by saying nothing, which were not handed
 * over (back to the queue). A machine that lost its power may have lost a journal's last lines, or all of it: after a
 * restart of the machine, saying nothing proves nothing, and those are unconfirmed too. Where a process cannot be seen, its
 * claim is taken over once the lease is over, and it hands nothing over any more should it still run.
 */
export async function recover({ db, folder, home, claims, alone, isGone, log }: Scene): Promise<void> {
  for (const orphan of listOrphans(folder, isGone)) {
    if (claims.has(orphan.claimId)) continue
    if (await settleJournal(db, orphan, alone, log)) rmSync(orphan.file, { force: true })
  }
  for (const { id } of await silentClaims(db, home, true, alone ? 0 : LEASE_SECONDS)) {
    // With a journal it is settled by that, above, once its owner is gone; silent is not gone.
    if (claims.has(id) || existsSync(join(folder, `${id}.journal`))) continue
    const claim = await takeOver(db, id, alone)
    if (!claim) continue
    if (isOfThisBoot(claim.worker)) await endClaim(db, claim)
    else await giveUp(db, claim, POWER_LOST, false, log)
  }
  for (const { id } of await silentClaims(db, home, false, THEIRS_SILENT_SECONDS)) {
    const claim = await takeOver(db, id, false)
    if (claim) await giveUp(db, claim, WORKER_LOST, true, log)
  }
  await forgetGivenUp(db)
}

/** Returns whether the journal has said all it can, and may go. */
async function settleJournal(db: Db, orphan: Orphan, alone: boolean, log: Pick<Log, 'info'>): Promise<boolean> {
  const { claimId, file, owner, touched } = orphan
  const isGone = orphan.isGone || alone
  const claim = await takeOver(db, claimId, isGone)
  // Without a claim it is held, or was just ended by its worker, which removes the journal itself.
  if (!claim) return isGone || Date.now() - touched > FORGOTTEN_MS
  const campaign = await db
    .selectFrom('campaigns')
    .where('workspaceId', '=', claim.workspaceId)
    .where('id', '=', claim.campaignId)
    .select(['id', 'workspaceId', 'channel'])
    .executeTakeFirst()
  if (!campaign) return true
  const channel = findChannel(campaign.channel)
  // Of a newer version's channel: a process that knows it settles the claim.
  if (!channel) return false
  const messages = await selectOpenMessages(db, claim)
  const isWhole = isOfThisBoot(owner?.boot ?? claim.worker)
  const entries = readJournal(file)
  const unsent = claim.givenUpAt
    ? await requeueUnsent(db, campaign, claimId, findUnsent(entries, messages, isWhole))
    : []
  const known = messages.filter(({ id }) => !unsent.includes(id))
  const settled = settledBy(entries, known, isWhole, claim.givenUpAt !== null)
  await channel.settle(db, campaign, claimId, settled)
  await endClaim(db, claim)
  log.info(
    { claimId, settled: settled.length, released: messages.length - settled.length },
    'settled what a stopped process left behind',
  )
  return true
}

/** The messages a claim has still to answer for: those it holds, and those that were given up while its worker was away. */
function selectOpenMessages(
  db: Db,
  { id, workspaceId, messageIds }: { id: string; workspaceId: string; messageIds: string[] },
) {
  return db
    .selectFrom('messages')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', messageIds)
    .where('claimId', '=', id)
    .where('state', 'in', ['claimed', 'unconfirmed'])
    .select(['id', 'attempts', 'firstAttemptAt'])
    .execute()
}

/**
 * What a journal says of messages. What it does not name was not handed over, where it cannot have lost lines (`isWhole`),
 * and goes back to the queue by itself, unless its campaign ended after it was given up: then a person decides whether it is still to be sent.
 */
function settledBy(
  entries: ReturnType<typeof readJournal>,
  messages: Awaited<ReturnType<typeof selectOpenMessages>>,
  isWhole: boolean,
  wasGivenUp: boolean,
): Settled[] {
  return messages.flatMap((message): Settled[] => {
    const entry = entries.get(message.id)
    const isLate = wasGivenUp && isUnsent(entry, isWhole)
    if (entry && entry !== 'handing' && !isLate) return [{ ...message, outcome: entry }]
    if (wasGivenUp) return !isLate ? [] : [{ ...message, outcome: { ...unconfirmed(NOT_SENT), kind: 'failed' } }]
    if (entry) return [{ ...message, outcome: unconfirmed(REPLY_LOST) }]
    return isWhole ? [] : [{ ...message, outcome: unconfirmed(POWER_LOST) }]
  })
}

/** Whether a message certainly did not leave: it was not handed over, or refused for now. */
const isUnsent = (entry: JournalEntry | undefined, isWhole: boolean): boolean =>
  entry === undefined ? isWhole : entry !== 'handing' && entry.kind === 'deferred'

const findUnsent = (entries: Map<string, JournalEntry>, messages: { id: string }[], isWhole: boolean): string[] =>
  messages.map(({ id }) => id).filter((id) => isUnsent(entries.get(id), isWhole))

/** Queues messages again that were given up and did not leave, while their campaign is being sent. Returns which. */
async function requeueUnsent(
  db: Db,
  campaign: { id: string; workspaceId: string },
  claimId: string,
  ids: string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  return db.transaction().execute(async (db) => {
    const state = await holdCampaign(db, campaign)
    if (state !== 'sending' && state !== 'paused') return []
    const { rows } = await sql<{ id: string }>`
      update messages set state = case when attempts > 1 then 'deferred' else 'queued' end, attempts = greatest(attempts - 1, 0), response = '',
        claim_id = null, due_at = now()
      where workspace_id = ${campaign.workspaceId} and id = any(${ids}::bigint[]) and claim_id = ${claimId} and state = 'unconfirmed'
      returning id`.execute(db)
    return rows.map(({ id }) => id)
  })
}

const NOT_SENT = 'The worker that had this message stopped before handing it over: it was not sent. Retry to send it.'
const REPLY_LOST = 'The sending process ended after it handed over the message and before the reply arrived.'
const POWER_LOST = 'The machine stopped while this message was being sent. It is unknown whether it was sent.'
const WORKER_LOST = 'The worker that had this message was lost, with its journal. It is unknown whether it was sent.'

function unconfirmed(response: string): Outcome {
  return { kind: 'unconfirmed', code: null, enhanced: null, response, class: null, at: new Date().toISOString() }
}

/**
 * A claim whose journal is lost: whether its messages left cannot be known. `mayReturn`: the journal may be found again with
 * its worker, so the claim stays for it to be settled by.
 */
async function giveUp(
  db: Db,
  claim: ClaimKey,
  response: string,
  mayReturn: boolean,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const { id, workspaceId } = claim
  await db.transaction().execute(async (db) => {
    await sql`update messages set state = 'unconfirmed', response = ${response}, attempts = attempts + 1
      where workspace_id = ${workspaceId}
        and id = any((select message_ids from claims where workspace_id = ${workspaceId} and id = ${id})::bigint[])
        and claim_id = ${id} and state = 'claimed'`.execute(db)
    if (mayReturn)
      await sql`update claims set given_up_at = ${timeNow()} where workspace_id = ${workspaceId} and id = ${id}`.execute(
        db,
      )
    else await deleteClaim(db, claim)
  })
  log.warn({ claimId: id }, 'gave up a claim of a worker that is gone')
}
