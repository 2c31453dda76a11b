import type { z } from 'zod'
import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import type { JourneyTrigger } from '#contracts/journeys/definition.ts'
import type { journeyTrials } from '#contracts/journeys/trials.ts'
import { matchContacts, withinTime } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, invalid } from '#server/platform/http/refusal.ts'
import { findJourney } from '../journeys.ts'
import { toProgram } from '../program.ts'
import type { JourneyRow } from '../store.ts'
import { type Entrant, listEntrants, nameContacts } from './replay-store.ts'

type Replay = z.infer<typeof journeyTrials.replay.response>

/** Their ids are held in memory meanwhile. */
const MAX_ENTRANTS = 100_000
const SAMPLE = 10
/** All filters together; each statement has a limit of its own. */
const TOTAL_MS = 15_000
const TOO_LONG = 'takes too long: choose fewer days, or use fewer conditions'

/** Refusal 409 where nothing makes contacts enter by itself. */
function requireTrigger(trigger: JourneyTrigger): void {
  if (trigger.kind === 'manual')
    throw conflict(
      'no_trigger',
      'Contacts only enter this journey when they are enrolled. Choose a trigger to replay it.',
    )
  if (Object.values(trigger).includes(null))
    throw conflict('not_ready', 'Choose what lets contacts enter the journey first.')
}

/** Contacts as they would go through the steps by what is known of them now: each filter is asked once for all who are at it. */
class ReplayedContacts {
  readonly #db: Db
  readonly #journey: JourneyRow
  readonly #endsAt = performance.now() + TOTAL_MS
  readonly entered = new Map<string, number>()
  readonly #at = new Map<string, string[]>()

  constructor(db: Db, journey: JourneyRow) {
    this.#db = db
    this.#journey = journey
  }

  match(filter: ContactFilter, ids: string[]): Promise<Set<string>> {
    if (performance.now() > this.#endsAt) throw invalid('days', TOO_LONG)
    return matchContacts(this.#db, this.#journey.workspaceId, filter, ids)
  }

  #arrive(ids: string[], stepId: string | null): void {
    if (stepId === null || ids.length === 0) return
    this.entered.set(stepId, (this.entered.get(stepId) ?? 0) + ids.length)
    this.#at.set(stepId, [...(this.#at.get(stepId) ?? []), ...ids])
  }

  /** Takes everybody through all steps; a step comes before those it leads to. */
  async go(everybody: string[]): Promise<void> {
    const { definition } = this.#journey
    const { first, steps } = toProgram(definition)
    // Nothing changes on the way: who reached the goal leaves at the first step.
    const done = definition.goal ? await this.match(definition.goal, everybody) : new Set<string>()
    this.#arrive(everybody, first)
    for (const { step, next, yes } of steps.values()) {
      const ids = (this.#at.get(step.id) ?? []).filter((id) => !done.has(id))
      this.#at.delete(step.id)
      if (ids.length === 0 || step.kind === 'exit') continue
      if (step.kind !== 'branch') {
        this.#arrive(ids, next)
        continue
      }
      const matching = await this.match(step.filter, ids)
      this.#arrive(
        ids.filter((id) => matching.has(id)),
        yes,
      )
      this.#arrive(
        ids.filter((id) => !matching.has(id)),
        next,
      )
    }
  }
}

/**
 * Counts who would have entered a journey in the last days, and which steps they would have got to, by what is known of them now: what
 * steps would have changed and how long they wait is not counted in. Refusal 404, 400, 409 and 429.
 */
export async function replayJourney(db: Db, workspaceId: string, id: string, days: number): Promise<Replay> {
  const journey = await findJourney(db, workspaceId, id)
  const { trigger, entryFilter } = journey.definition
  requireTrigger(trigger)
  return withinTime(db, { workspaceId, field: 'days', tooLong: TOO_LONG }, async (db) => {
    const found = await listEntrants(db, workspaceId, trigger, days, MAX_ENTRANTS + 1)
    if (found.length > MAX_ENTRANTS)
      throw conflict(
        'too_many_contacts',
        `More than ${MAX_ENTRANTS.toLocaleString('en')} contacts would have entered. Choose fewer days.`,
      )
    const replayed = new ReplayedContacts(db, journey)
    const ids = found.map(({ contactId }) => contactId)
    const wanted = entryFilter ? await replayed.match(entryFilter, ids) : new Set(ids)
    const entrants = found.filter(({ contactId }) => wanted.has(contactId))
    await replayed.go(entrants.map(({ contactId }) => contactId))
    return {
      entered: entrants.length,
      steps: [...toProgram(journey.definition).steps.keys()].map((stepId) => ({
        stepId,
        entered: replayed.entered.get(stepId) ?? 0,
      })),
      sample: await describe(db, workspaceId, entrants.slice(0, SAMPLE)),
    }
  })
}

async function describe(db: Db, workspaceId: string, entrants: Entrant[]): Promise<Replay['sample']> {
  const names = await nameContacts(
    db,
    workspaceId,
    entrants.map(({ contactId }) => contactId),
  )
  return entrants.map(({ contactId, at }) => ({
    ...{ contactId, at: at.toISOString() },
    ...(names.get(contactId) ?? { email: null, name: '' }),
  }))
}
