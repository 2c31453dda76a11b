import type { SenderProblem } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Says why a sending campaign waits; empty: it does not. */
export async function setText(db: Db, campaignId: string, text: string): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ stateText: text })
    .where('id', '=', campaignId)
    .where('state', '=', 'sending')
    .where('stateText', '<>', text)
    .execute()
}

/** Pauses a campaign that needs a person, and says why. */
export async function pauseSending(db: Db, campaignId: string, text: string): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ state: 'paused', stateText: text })
    .where('id', '=', campaignId)
    .where('state', '=', 'sending')
    .execute()
}

/** A text that others follow on: what mail servers say has often no full stop. */
export const sentence = (text: string) => text.trim().replace(/[^.!?]$/, '$&.')

/** Campaigns whose pace could not be read, and say so. */
const withoutPace = new Set<string>()
const PACE_AGAIN_MS = 1_000

/** The pace is the database's to tell: while it is slow or away the campaign waits a moment, and its sender is not to blame. */
export async function waitForPace(db: Db, campaignId: string, { text }: SenderProblem): Promise<{ again: number }> {
  withoutPace.add(campaignId)
  await setText(db, campaignId, `Waiting: ${sentence(text)} It retries automatically. Nothing is lost.`)
  return { again: PACE_AGAIN_MS }
}

/** A slice went through: the pace can be read again, should it not have been. */
export async function paceIsBack(db: Db, campaignId: string): Promise<void> {
  if (withoutPace.delete(campaignId)) await setText(db, campaignId, '')
}
