import type { Journey } from '#contracts/journeys/journeys.ts'
import {
  deleteStepDrafts,
  freezeStepEmail,
  type PreparedEmail,
  prepareStepEmail,
  testStepEmail,
} from '#server/features/campaigns/index.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, invalid, notFound, Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { findJourney, showJourney } from './journeys.ts'
import { error, findProblems, type JourneyProblem } from './problems.ts'
import { toProgram } from './program.ts'
import * as store from './store.ts'

const changedElsewhere = () =>
  conflict('changed', 'The journey is being changed elsewhere. Nothing was activated. Try again in a moment.')

/** The refusal of an activation, with each problem and its field. */
const notReady = (problems: JourneyProblem[]) =>
  new Refusal(409, 'not_ready', problems[0]?.message ?? 'The journey is not ready.', {
    details: problems.map(({ field, message }) => ({ field: `definition.${field}`, message })),
  })

/** Checks and compiles every email whose content is not the one that its campaign was frozen with, by its step. */
async function prepareEmails(services: Services, row: store.JourneyRow) {
  const { workspaceId, id } = row
  const steps = new Map((await store.listSteps(services.db, workspaceId, [id])).map((step) => [step.stepId, step]))
  const emails = new Map<string, PreparedEmail>()
  const problems: JourneyProblem[] = []
  for (const { step, path } of toProgram(row.definition).steps.values()) {
    if (step.kind !== 'email') continue
    const { id: stepId, kind: _, ...content } = step
    const of = { workspaceId, journeyId: id, stepId }
    const { campaignId = null, contentKey = '' } = steps.get(stepId) ?? {}
    const present = campaignId === null ? undefined : { campaignId, contentKey }
    const prepared = await prepareStepEmail(services, of, content, present)
    if (prepared.kind === 'ready') emails.set(stepId, prepared.email)
    if (prepared.kind === 'faulty')
      problems.push(...prepared.messages.map((message) => error(stepId, path, `“${step.name}”: ${message}`)))
  }
  return { emails, problems }
}

/**
 * Activates a journey, or lets a paused one go on: from now on its trigger counts. Refusal 404, and 409 where it is archived,
 * changed meanwhile or not ready: then with everything that has to be fixed.
 */
export async function activateJourney(services: Services, workspaceId: string, id: string): Promise<Journey> {
  const { db } = services
  const row = await findJourney(db, workspaceId, id)
  if (row.state === 'active') return showJourney(db, workspaceId, id)
  if (row.state === 'archived') throw conflict('archived', 'The journey is archived. It cannot be activated again.')
  const known = (await findProblems(db, workspaceId, row.definition)).filter(({ severity }) => severity === 'error')
  if (known.length > 0) throw notReady(known)
  try {
    const { emails, problems } = await prepareEmails(services, row)
    if (problems.length > 0) throw notReady(problems)
    await db.transaction().execute(async (db) => {
      const held = await store.holdJourney(db, workspaceId, id)
      if (!held) throw notFound('Journey')
      if (held.version !== row.version) throw changedElsewhere()
      for (const [stepId, email] of emails) {
        await freezeStepEmail(db, workspaceId, email)
        const { campaignId, contentKey } = email
        await store.setStepCampaign(db, workspaceId, id, { stepId, campaignId, contentKey })
      }
      await store.updateJourney(db, workspaceId, id, { state: 'active', stateText: '', begins: true })
    })
  } finally {
    // Drafts of emails that did not change, or could not be frozen.
    await deleteStepDrafts(db, workspaceId, id)
  }
  return showJourney(db, workspaceId, id)
}

/**
 * Sends the email of a step to one address, marked as a test, whatever the state of the journey. Throws Refusal 400, 404, and what a test of
 * a campaign throws.
 */
export async function testStep(
  services: Services,
  caller: Caller,
  id: string,
  { stepId, to }: { stepId: string; to: string },
) {
  const { workspaceId, definition } = await findJourney(services.db, caller.workspaceId, id)
  const step = toProgram(definition).steps.get(stepId)?.step
  if (step?.kind !== 'email') throw invalid('stepId', 'is not an email step of this journey')
  const { id: _, kind: __, ...content } = step
  return testStepEmail(services, caller, { workspaceId, journeyId: id, stepId }, content, to)
}

/** Pauses a journey. Once it responds nobody enters and nobody goes on. Refusal 404, and 409 where it is not active. */
export async function pauseJourney({ db }: Pick<Services, 'db'>, workspaceId: string, id: string): Promise<Journey> {
  await db.transaction().execute(async (db) => {
    const held = await store.holdJourney(db, workspaceId, id)
    if (!held) throw notFound('Journey')
    if (held.state === 'paused') return
    if (held.state !== 'active') throw conflict('wrong_state', 'The journey is not active, so it cannot be paused.')
    await store.updateJourney(db, workspaceId, id, { state: 'paused', stateText: '' })
  })
  return showJourney(db, workspaceId, id)
}
