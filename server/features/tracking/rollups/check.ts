/** Compares the figures of reports with the events and messages they are counted from, and corrects them. */
import type { Db } from '#server/platform/db/database.ts'
import { saveSetting } from '#server/platform/settings.ts'
import * as store from './check-store.ts'
import { lockRollups } from './rollups-store.ts'

const KEY = 'rollups_check'
const BEGINNING: CheckPlace = { workspaceId: '0', messageId: '0' }

/** Where a check stands: a workspace, and its messages up to this one. */
interface CheckPlace {
  workspaceId: string
  messageId: string
}

/** What a check found and corrected. */
export interface CheckResult {
  /** Of up to 5,000 messages each. */
  slices: number
  /** Messages that are marked to be counted anew. */
  wrongMessages: number
  /** Figures that were not the sum of what they are counted from, at most 100 of a campaign. */
  wrongFigures: store.WrongFigure[]
}

/**
 * Checks every workspace, 5,000 messages at a time, in flat memory. What is wrong is corrected: messages are marked for the roller, the figures
 * of a campaign that are no sum of its rollups are counted anew. Reports are exact again at once.
 */
export async function checkRollups(db: Db, signal?: AbortSignal): Promise<CheckResult> {
  const result: CheckResult = { slices: 0, wrongMessages: 0, wrongFigures: [] }
  for (let place: CheckPlace | undefined = BEGINNING; place && !signal?.aborted; )
    place = await checkNext(db, place, result)
  return result
}

/** Checks up to so many slices, from where the last call came to. After the last workspace the first is next. */
export async function checkSome(db: Db, slices: number, signal?: AbortSignal): Promise<CheckResult> {
  const result: CheckResult = { slices: 0, wrongMessages: 0, wrongFigures: [] }
  const row = await db.selectFrom('settings').where('key', '=', KEY).select('value').executeTakeFirst()
  let place: CheckPlace | undefined = row ? JSON.parse(row.value) : BEGINNING
  while (place && result.slices < slices && !signal?.aborted) place = await checkNext(db, place, result)
  await saveSetting(db, KEY, JSON.stringify(place ?? BEGINNING))
  return result
}

/** Checks the next slice of messages, or the figures of the next workspace. Returns the place after it; undefined: there is no more. */
async function checkNext(db: Db, place: CheckPlace, result: CheckResult): Promise<CheckPlace | undefined> {
  const { workspaceId, messageId } = place
  const last = workspaceId === '0' ? undefined : await store.endOfSlice(db, workspaceId, messageId)
  if (last !== undefined) {
    result.slices++
    result.wrongMessages += await store.markWrongMessages(db, workspaceId, messageId, last)
    return { workspaceId, messageId: last }
  }
  const next = await store.nextWorkspace(db, workspaceId)
  if (next === undefined) return undefined
  for (const campaignId of await store.countedCampaigns(db, next)) {
    result.wrongFigures.push(...(await checkFigures(db, next, campaignId)))
  }
  return { workspaceId: next, messageId: '0' }
}

async function checkFigures(db: Db, workspaceId: string, campaignId: string): Promise<store.WrongFigure[]> {
  const wrong = await store.findWrongFigures(db, workspaceId, campaignId)
  return db.transaction().execute(async (db) => {
    await lockRollups(db, workspaceId, true)
    if (wrong.length > 0) await store.countAnew(db, workspaceId, campaignId)
    return [...wrong, ...(await store.correctOutcomes(db, workspaceId, campaignId))]
  })
}
