import type { JourneyDefinition } from '#contracts/journeys/definition.ts'
import { queueStepEmail } from '#server/features/campaigns/index.ts'
import {
  addMembers,
  matchContacts,
  removeMembers,
  setFields,
  tagContacts,
  untagContacts,
} from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import type { DuePerson, Move, PersonRow } from './people-store.ts'
import { type ProgramStep, type StepOf, toProgram, waitMs } from './program.ts'
import { type JourneyRow, listSteps } from './store.ts'

/** Where there is no email left in the month, a contact waits at the step and tries again. */
const RETRY_MS = 3_600_000
export const LIMIT_USED_UP =
  'This month’s emails are used up. Contacts wait at their email step, which is tried again every hour.'

/** What becomes of a batch. */
export interface Advanced {
  moves: Move[]
  /** How many got to which step. */
  entered: Map<string, number>
  /** The campaigns that have something to send. */
  campaignIds: string[]
  /** What hinders the journey; undefined: nothing was learned of it. */
  hindrance: string | undefined
}

/** People as they go through the steps of one definition, in one transaction. */
class Walk {
  readonly moves: Move[] = []
  readonly entered = new Map<string, number>()
  readonly campaignIds: string[] = []
  hindrance: string | undefined
  /** Those who are at a step, by it. */
  readonly #at = new Map<string, DuePerson[]>()
  /** Those for whom the goal was looked up since something was changed. */
  readonly #beforeGoal = new Set<string>()
  readonly #services: Pick<Services, 'queue'>
  readonly #db: Db
  readonly #journey: JourneyRow
  readonly #campaigns: ReadonlyMap<string, string>

  constructor(
    services: Pick<Services, 'queue'>,
    db: Db,
    journey: JourneyRow,
    /** The campaign of each email step. */
    campaigns: ReadonlyMap<string, string>,
  ) {
    this.#services = services
    this.#db = db
    this.#journey = journey
    this.#campaigns = campaigns
  }

  /** Places people at a step they are at already. */
  stay(people: DuePerson[], stepId: string): void {
    this.#at.set(stepId, [...(this.#at.get(stepId) ?? []), ...people])
  }

  /** Lets people get to a step; null: they are done. */
  arrive(people: DuePerson[], stepId: string | null): void {
    if (people.length === 0) return
    if (stepId === null) return this.end(people, 'done')
    this.entered.set(stepId, (this.entered.get(stepId) ?? 0) + people.length)
    this.stay(
      people.map((person) => ({ ...person, stepId })),
      stepId,
    )
  }

  end(people: DuePerson[], state: PersonRow['state']): void {
    for (const { id, stepId } of people) this.moves.push({ id, stepId, state, delayMs: 0 })
  }

  /** Lets people wait where they are. */
  wait(people: DuePerson[], delayMs: number): void {
    for (const { id, stepId } of people) this.moves.push({ id, stepId, state: 'active', delayMs })
  }

  async pass(program: ProgramStep): Promise<void> {
    const here = this.#at.get(program.step.id) ?? []
    const people = here.length > 0 ? await this.#leaveByGoal(here) : here
    if (people.length > 0) await this.#act(program, people)
  }

  /** Ends those who reached the goal; returns the others. */
  async #leaveByGoal(people: DuePerson[]): Promise<DuePerson[]> {
    const { definition, workspaceId } = this.#journey
    const asked = people.filter(({ contactId }) => !this.#beforeGoal.has(contactId))
    if (!definition.goal || asked.length === 0) return people
    const reached = await matchContacts(this.#db, workspaceId, definition.goal, toContactIds(asked))
    for (const { contactId } of asked) this.#beforeGoal.add(contactId)
    this.end(
      people.filter(({ contactId }) => reached.has(contactId)),
      'goal',
    )
    return people.filter(({ contactId }) => !reached.has(contactId))
  }

  async #act({ step, next, yes }: ProgramStep, people: DuePerson[]): Promise<void> {
    const ids = toContactIds(people)
    switch (step.kind) {
      case 'wait':
        return this.wait(people, waitMs(step))
      case 'exit':
        return this.end(people, 'exited')
      case 'email':
        return this.#send(step, next, people)
      case 'branch': {
        const matching = await matchContacts(this.#db, this.#journey.workspaceId, step.filter, ids)
        this.arrive(
          people.filter(({ contactId }) => matching.has(contactId)),
          yes,
        )
        return this.arrive(
          people.filter(({ contactId }) => !matching.has(contactId)),
          next,
        )
      }
      default:
        await changeContacts(this.#db, this.#journey.workspaceId, step, ids)
        for (const id of ids) this.#beforeGoal.delete(id)
        return this.arrive(people, next)
    }
  }

  async #send(step: StepOf<'email'>, next: string | null, people: DuePerson[]): Promise<void> {
    const campaignId = this.#campaigns.get(step.id)
    if (campaignId === undefined) throw new Error(`the email ${step.id} has no campaign`)
    const of = { workspaceId: this.#journey.workspaceId, campaignId }
    const held = new Set(await queueStepEmail(this.#services, this.#db, of, toContactIds(people)))
    this.campaignIds.push(campaignId)
    if (held.size > 0) this.hindrance = LIMIT_USED_UP
    else this.hindrance ??= ''
    this.wait(
      people.filter(({ contactId }) => held.has(contactId)),
      RETRY_MS,
    )
    this.arrive(
      people.filter(({ contactId }) => !held.has(contactId)),
      next,
    )
  }
}

const toContactIds = (people: DuePerson[]) => people.map(({ contactId }) => contactId)

/** No list and no tag has it. */
const NO_ID = '0'

/** Does what a step asks for with contacts. What it names may have been deleted: then nothing is there to be changed. */
export async function changeContacts(
  db: Db,
  workspaceId: string,
  step: StepOf<'tag' | 'untag' | 'add_to_list' | 'remove_from_list' | 'set_field'>,
  ids: string[],
): Promise<void> {
  switch (step.kind) {
    case 'tag':
      return void (await tagContacts(db, workspaceId, ids, step.tagId ?? NO_ID))
    case 'untag':
      return void (await untagContacts(db, workspaceId, ids, step.tagId ?? NO_ID))
    case 'add_to_list':
      return void (await addMembers(db, workspaceId, ids, step.listId ?? NO_ID))
    case 'remove_from_list':
      return void (await removeMembers(db, workspaceId, ids, step.listId ?? NO_ID))
    case 'set_field':
      return void (await setFields(db, workspaceId, ids, { attributes: step.attributes }))
  }
}

/** The campaigns of the emails a definition has, by their step. */
async function readCampaigns(
  db: Db,
  { workspaceId, id }: JourneyRow,
  steps: Iterable<ProgramStep>,
): Promise<Map<string, string>> {
  if (![...steps].some(({ step }) => step.kind === 'email')) return new Map()
  const rows = await listSteps(db, workspaceId, [id])
  return new Map(rows.flatMap(({ stepId, campaignId }) => (campaignId === null ? [] : [[stepId, campaignId]])))
}

/**
 * Takes people whose time has come through the steps of their journey, in the transaction that holds them, until they wait or end. Nobody
 * gets to a step twice, because steps lead forward alone.
 */
export async function advance(
  services: Pick<Services, 'queue'>,
  db: Db,
  journey: JourneyRow & { definition: JourneyDefinition },
  due: DuePerson[],
): Promise<Advanced> {
  const { first, steps } = toProgram(journey.definition)
  const walk = new Walk(services, db, journey, await readCampaigns(db, journey, steps.values()))
  for (const [stepId, people] of Map.groupBy(due, (person) => person.stepId)) {
    const at = stepId === null ? undefined : steps.get(stepId)
    if (stepId === null) walk.arrive(people, first)
    else if (!at) walk.end(people, 'exited')
    // Who waited until now goes on; elsewhere a step is tried again.
    else if (at.step.kind === 'wait') walk.arrive(people, at.next)
    else walk.stay(people, stepId)
  }
  for (const step of steps.values()) await walk.pass(step)
  const { moves, entered, campaignIds, hindrance } = walk
  return { moves, entered, campaignIds, hindrance }
}
