/** Compares the figures of reports with the events and messages they are counted from, and corrects them. */
import type { Db } from '#server/platform/db/database.ts'
import { saveSetting } from '#server/platform/settings.ts'
import * as store from './check-store.ts'
import { lockRollups } from './rollups-store.ts'

const KEY = 'rollups_check'
const BEGINNING: CheckPlace = { workspaceId: '0', campaignId: null, messageId: '0' }

/** Where a check stands: a workspace, its campaigns up to this one (null: all of them), and then its messages up to this one. */
interface CheckPlace {
  workspaceId: string
  campaignId: string | null
  messageId: string
}

/** What a check found and corrected. */
export interface CheckResult {
  /** Of up to 5,000 messages each, whose events are compared or whose campaign's figures. */
  slices: number
  /** Messages that are marked to be counted anew. */
  wrongMessages: number
  /** Links of lists of recipients that were missing, or too much. */
  wrongLinks: number
  /** Figures that were not the sum of what they are counted from, at most 100 of a campaign. */
  wrongFigures: store.WrongFigure[]
}
const NOTHING_FOUND = { slices: 0, wrongMessages: 0, wrongLinks: 0 }

/**
 * Checks every workspace, 5,000 messages at a time, in flat memory. What is wrong is corrected: messages are marked for the roller, the figures
 * of a campaign that are no sum of its rollups are counted anew. Reports are exact again at once.
 */
export async function checkRollups(db: Db, signal?: AbortSignal): Promise<CheckResult> {
  const result: CheckResult = { ...NOTHING_FOUND, wrongFigures: [] }
  for (let place: CheckPlace | undefined = BEGINNING; place && !signal?.aborted; )
    place = await checkNext(db, place, result)
  return result
}

/**
 * Checks the `parts`th part of all there is, from where the last call came to: after so many calls everything is checked. After the last
 * workspace the first is next. A campaign's figures are checked at once, whatever its size.
 */
export async function checkPart(db: Db, parts: number, signal?: AbortSignal): Promise<CheckResult> {
  const result: CheckResult = { ...NOTHING_FOUND, wrongFigures: [] }
  const row = await db.selectFrom('settings').where('key', '=', KEY).select('value').executeTakeFirst()
  let place: CheckPlace | undefined = row ? { ...BEGINNING, ...JSON.parse(row.value) } : BEGINNING
  const slices = Math.ceil((await store.countSlices(db)) / parts)
  while (place && result.slices < slices && !signal?.aborted) place = await checkNext(db, place, result)
  await saveSetting(db, KEY, JSON.stringify(place ?? BEGINNING))
  return result
}

/** Checks the figures of the next campaign, or the next slice of messages. Returns the place after it; undefined: there is no more. */
async function checkNext(db: Db, place: CheckPlace, result: CheckResult): Promise<CheckPlace | undefined> {
  const { workspaceId, campaignId, messageId } = place
  if (campaignId !== null) {
    const next = await store.nextCampaign(db, workspaceId, campaignId)
    if (next) await checkCampaign(db, workspaceId, next, result)
    return { ...place, campaignId: next?.id ?? null }
  }
  const last = workspaceId === '0' ? undefined : await store.endOfSlice(db, workspaceId, messageId)
  if (last !== undefined) {
    result.slices++
    result.wrongMessages += await store.markWrongMessages(db, workspaceId, messageId, last)
    return { ...place, messageId: last }
  }
  const next = await store.nextWorkspace(db, workspaceId)
  return next === undefined ? undefined : { workspaceId: next, campaignId: '0', messageId: '0' }
}

async function checkCampaign(
  db: Db,
  workspaceId: string,
  { id, messages }: { id: string; messages: number },
  result: CheckResult,
): Promise<void> {
  result.slices += store.toSlices(messages)
  const wrong = await store.findWrongFigures(db, workspaceId, id)
  const wrongLinks = await store.findWrongLinks(db, workspaceId, id)
  result.wrongLinks += wrongLinks
  await db.transaction().execute(async (db) => {
    await lockRollups(db, workspaceId, true)
    if (wrong.length > 0) await store.countAnew(db, workspaceId, id)
    result.wrongFigures.push(...wrong, ...(await store.correctOutcomes(db, workspaceId, id)))
    if (wrongLinks > 0) await store.correctLinks(db, workspaceId, id)
  })
}
