import type { JourneyDefinition } from '#contracts/journeys/definition.ts'
import { type Journey, type JourneyState, type JourneySummary, MAX_JOURNEYS } from '#contracts/journeys/journeys.ts'
import type { Db } from '#server/platform/db/database.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, notFound } from '#server/platform/http/refusal.ts'
import { presentJourney, presentSummaries } from './present.ts'
import { readDefinition } from './references.ts'
import * as store from './store.ts'

/** The row of a journey. Throws Refusal 404. */
export async function findJourney(db: Db, workspaceId: string, id: string): Promise<store.JourneyRow> {
  const row = await store.journeyById(db, workspaceId, id)
  if (!row) throw notFound('Journey')
  return row
}

/** A journey with the counts of its steps. Throws Refusal 404. */
export async function showJourney(db: Db, workspaceId: string, id: string): Promise<Journey> {
  return presentJourney(db, await findJourney(db, workspaceId, id))
}

/** Journeys, newest first; archived ones only where that state is asked for. */
export async function listJourneys(
  db: Db,
  workspaceId: string,
  { limit, cursor, state }: { limit: number; cursor?: string | undefined; state?: JourneyState | undefined },
): Promise<{ items: JourneySummary[]; nextCursor: string | null }> {
  const page = { limit: limit + 1, ...(cursor && { before: cursor }), ...(state && { state }) }
  const { items, nextCursor } = takePage(await store.journeyPage(db, workspaceId, page), limit)
  return { items: await presentSummaries(db, workspaceId, items), nextCursor }
}

/** Creates a draft. Refusal 400 where it names what is not there, 409 where the workspace has as many journeys as it may. */
export async function createJourney(
  db: Db,
  workspaceId: string,
  { name, definition }: { name: string; definition: JourneyDefinition },
): Promise<Journey> {
  if ((await store.countJourneys(db, workspaceId)) >= MAX_JOURNEYS)
    throw conflict('too_many_journeys', `A workspace has at most ${MAX_JOURNEYS} journeys. Delete one first.`)
  const read = await readDefinition(db, workspaceId, definition)
  return showJourney(db, workspaceId, await store.insertJourney(db, workspaceId, { name, definition: read }))
}
