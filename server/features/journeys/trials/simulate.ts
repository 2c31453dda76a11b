import type { z } from 'zod'
import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import type { journeyTrials } from '#contracts/journeys/trials.ts'
import { matchContacts, showContact, withinTime } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, unknownId } from '#server/platform/http/refusal.ts'
import { changeContacts } from '../advance.ts'
import { findJourney } from '../journeys.ts'
import { hasEntered } from '../people-store.ts'
import { toProgram, waitMs } from '../program.ts'
import type { JourneyRow } from '../store.ts'

type Simulation = z.infer<typeof journeyTrials.simulate.response>

/** Ends the transaction of a simulation: what its steps changed is not stored. */
class Simulated extends Error {
  readonly result: Simulation
  constructor(result: Simulation) {
    super('a simulation is not stored')
    this.result = result
  }
}

/** The contact that is followed, and the time at its present step. */
class SimulatedContact {
  readonly #db: Db
  readonly #journey: JourneyRow
  readonly #contactId: string
  at = new Date()

  constructor(db: Db, journey: JourneyRow, contactId: string) {
    this.#db = db
    this.#journey = journey
    this.#contactId = contactId
  }

  async isIn(filter: ContactFilter): Promise<boolean> {
    const { workspaceId } = this.#journey
    return (await matchContacts(this.#db, workspaceId, filter, [this.#contactId], this.at)).size > 0
  }

  async findObstacle(): Promise<Simulation['obstacle']> {
    const { workspaceId, id, definition } = this.#journey
    if (await hasEntered(this.#db, workspaceId, id, this.#contactId)) return 'already_entered'
    return definition.entryFilter === null || (await this.isIn(definition.entryFilter)) ? null : 'entry_filter'
  }

  /** Why the contact gets no email by now; empty: it does. */
  async #findSkip(): Promise<string> {
    const { email, status } = await showContact(this.#db, this.#journey.workspaceId, this.#contactId)
    if (email === null) return 'no_address'
    return status === 'subscribed' ? '' : status
  }

  /** The way from the first step on. */
  async follow(): Promise<Pick<Simulation, 'path' | 'end'>> {
    const { definition, workspaceId } = this.#journey
    const { first, steps } = toProgram(definition)
    const path: Simulation['path'] = []
    for (let stepId = first; stepId !== null; ) {
      const program = steps.get(stepId)
      if (!program) throw new Error(`there is no step ${stepId}`)
      const here = { stepId, at: this.at.toISOString(), outcome: '' }
      path.push(here)
      if (definition.goal && (await this.isIn(definition.goal))) return { path, end: 'goal' }
      const { step, next, yes } = program
      stepId = next
      if (step.kind === 'exit') return { path, end: 'exited' }
      if (step.kind === 'wait') this.at = new Date(this.at.getTime() + waitMs(step))
      else if (step.kind === 'email') here.outcome = await this.#findSkip()
      else if (step.kind === 'branch') {
        here.outcome = (await this.isIn(step.filter)) ? 'yes' : 'no'
        if (here.outcome === 'yes') stepId = yes
      } else await changeContacts(this.#db, workspaceId, step, [this.#contactId])
    }
    return { path, end: 'done' }
  }
}

/** The id of the contact to follow: without one the newest of the workspace. Refusal 400 for an unknown one, and 409 without contacts. */
async function findContact(db: Db, workspaceId: string, contactId: string | undefined): Promise<string> {
  let query = db
    .selectFrom('contacts')
    .where('workspaceId', '=', workspaceId)
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
  if (contactId !== undefined) query = query.where('id', '=', contactId)
  const row = await query.executeTakeFirst()
  if (row) return row.id
  if (contactId !== undefined) throw unknownId('contactId')
  throw conflict('no_contacts', 'There is no contact to follow. Add one first.')
}

/**
 * The way a contact would take now. Steps change tags, lists and fields in a transaction that is rolled back, so that a branch sees what a
 * step before it does; conditions over days are asked at the time the contact gets there. Refusal 404, 400, 409 and 429.
 */
export async function simulateJourney(
  db: Db,
  workspaceId: string,
  id: string,
  chosenId: string | undefined,
): Promise<Simulation> {
  const journey = await findJourney(db, workspaceId, id)
  const limit = { workspaceId, field: 'contactId', tooLong: 'cannot be followed: the filters take too long' }
  try {
    return await withinTime(db, limit, async (db) => {
      const contactId = await findContact(db, workspaceId, chosenId)
      const contact = new SimulatedContact(db, journey, contactId)
      const obstacle = await contact.findObstacle()
      throw new Simulated({ contactId, obstacle, ...(await contact.follow()) })
    })
  } catch (error) {
    if (error instanceof Simulated) return error.result
    throw error
  }
}
