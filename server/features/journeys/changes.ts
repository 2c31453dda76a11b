import type { JourneyDefinition } from '#contracts/journeys/definition.ts'
import type { Journey } from '#contracts/journeys/journeys.ts'
import { hideStepEmails } from '#server/features/campaigns/index.ts'
import { conflict, notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { queueClearing } from './jobs.ts'
import { findJourney, showJourney } from './journeys.ts'
import { readDefinition } from './references.ts'
import * as store from './store.ts'

/** What of a journey is changed. */
interface Change {
  name?: string | undefined
  definition?: JourneyDefinition | undefined
  state?: 'archived' | undefined
  /** Of which it is a change; undefined: of whatever it is now. */
  version?: number | undefined
}

/**
 * Renames a journey, replaces the definition of one that is not active, or archives it. Who is at a step that is gone leaves, and of
 * an archived one everybody, in the background. Refusal 400 where the definition names what is not there, 404, and 409 by its state
 * and where another change came before.
 */
export async function changeJourney(
  services: Services,
  workspaceId: string,
  id: string,
  { name, definition, state, version }: Change,
): Promise<Journey> {
  const { db, queue } = services
  await findJourney(db, workspaceId, id)
  const read = definition && (await readDefinition(db, workspaceId, definition))
  const changed = await db.transaction().execute(async (db) => {
    const held = await store.holdJourney(db, workspaceId, id)
    if (!held) throw notFound('Journey')
    if (version !== undefined && version !== held.version)
      throw conflict(
        'version_conflict',
        'This journey was changed elsewhere since you opened it, in another tab or by a colleague.',
      )
    if (read && held.state === 'active')
      throw conflict('active', 'The journey is active. Pause it before you change its steps.')
    if (read && held.state === 'archived') throw conflict('archived', 'The journey is archived. It cannot be changed.')
    await store.updateJourney(db, workspaceId, id, { name, definition: read, state, ...(state && { stateText: '' }) })
    if (read || state) await queueClearing(queue, workspaceId, id, db)
    return held.version + 1
  })
  // The version of this change: the caller has not seen one that came in the moment since.
  return { ...(await showJourney(db, workspaceId, id)), version: changed }
}

/**
 * Deletes a draft or an archived journey; its people go in the background, and what its emails still send is canceled. Refusal 404, and
 * 409 by its state.
 */
export async function removeJourney({ db, queue, live }: Services, workspaceId: string, id: string): Promise<void> {
  const campaignIds = await db.transaction().execute(async (db) => {
    const held = await store.holdJourney(db, workspaceId, id)
    if (!held) throw notFound('Journey')
    if (held.state === 'active' || held.state === 'paused')
      throw conflict('running', `The journey is ${held.state}. Archive it first.`)
    await store.deleteJourney(db, workspaceId, id)
    await queueClearing(queue, workspaceId, id, db)
    return hideStepEmails(db, workspaceId, id)
  })
  for (const campaignId of campaignIds) live.publish('sending', campaignId)
}
