import { sql } from 'kysely'
import { noteOutcomes, optOut } from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Settle, type Settled, type SettledRow, writeRows } from '../../sending/settle.ts'
import { settleMessages } from './statuses.ts'

const MAX_TRIES = 5

/** Seconds until the next try, by how many there were; undefined: there is none. Meta names 4^n for one person's pace. */
function retryDelay(reason: string | undefined, tries: number): number | undefined {
  if (reason === 'once') return tries < 2 ? 30 : undefined
  if (reason === 'pair') return tries < 8 ? 4 ** (tries - 1) : undefined
  return tries < MAX_TRIES ? 5 * 3 ** (tries - 1) : undefined
}

/** The recipient's row for an outcome. */
function toSettledRow({ id, outcome, attempts }: Settled): SettledRow {
  const { kind, reason, response, at } = outcome
  const row = { id, state: kind, reason: reason ?? outcome.class ?? '', response, sentAt: null, dueAt: null, at }
  if (kind === 'sent') return { ...row, reason: '', sentAt: at }
  if (kind === 'unconfirmed') return { ...row, sentAt: at }
  if (kind === 'failed') return reason === 'opted_out' ? { ...row, state: 'suppressed', reason: 'unsubscribe' } : row
  const seconds = retryDelay(reason, attempts + 1)
  if (seconds === undefined)
    return { ...row, state: 'failed', response: `Given up after ${attempts + 1} tries. ${response}` }
  return { ...row, dueAt: new Date(Date.parse(at) + seconds * 1_000).toISOString() }
}

/**
 * Writes outcomes of one claim of a WhatsApp campaign, once: what Meta said of the messages, the recipients' rows, and what
 * webhooks knew before the answer was read. In this order, as the webhooks do it, so that neither waits for the other.
 */
export const settleWhatsApp: Settle = async (db, campaign, claimId, settled) => {
  if (settled.length === 0) return
  const rows = settled.map(toSettledRow)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const ids = rows.map((row) => row.id)
  await db.transaction().execute(async (db) => {
    await noteOutcomes(
      db,
      campaign.workspaceId,
      settled.map(({ id, outcome }) => ({ id, outcome, state: byId.get(id)?.state ?? '' })),
    )
    await writeRows(db, campaign, claimId, rows)
    const stopped = rows.filter(({ state }) => state === 'suppressed').map(({ id }) => id)
    if (stopped.length > 0) await optOutAll(db, campaign, stopped)
    await settleMessages(db, campaign.workspaceId, ids)
  })
}

async function optOutAll(db: Db, { id, workspaceId }: Parameters<Settle>[1], ids: string[]): Promise<void> {
  const { rows } = await sql<{ address: string }>`select address from messages
    where id = any(${ids}::bigint[]) and workspace_id = ${workspaceId}`.execute(db)
  for (const { address } of rows) await optOut(db, workspaceId, address, 'Stopped promotions in WhatsApp (131050).', id)
}
