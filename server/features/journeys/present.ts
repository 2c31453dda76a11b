import type { Journey, JourneySummary } from '#contracts/journeys/journeys.ts'
import { readStepEmails, type StepEmail } from '#server/features/campaigns/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countWaiting } from './people-store.ts'
import { findProblems } from './problems.ts'
import { toProgram } from './program.ts'
import { type JourneyRow, listSteps } from './store.ts'

function summarize(row: JourneyRow, active: number, emails: StepEmail[]): JourneySummary {
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    entered: Number(row.entered),
    active,
    ended: Math.max(0, Number(row.entered) - active),
    sent: emails.reduce((sum, { sent }) => sum + sent, 0),
    activatedAt: row.activatedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Journeys of a workspace as lists show them, in the order of the rows. */
export async function presentSummaries(db: Db, workspaceId: string, rows: JourneyRow[]): Promise<JourneySummary[]> {
  const ids = rows.map(({ id }) => id)
  const waiting = Map.groupBy(await countWaiting(db, workspaceId, ids), ({ journeyId }) => journeyId)
  const emails = Map.groupBy(await readStepEmails(db, workspaceId, ids), ({ journeyId }) => journeyId)
  return rows.map((row) =>
    summarize(
      row,
      (waiting.get(row.id) ?? []).reduce((sum, one) => sum + one.waiting, 0),
      emails.get(row.id) ?? [],
    ),
  )
}

/** What hinders a journey, or why it rests: what was noted of it, or else of an active one an email of it that is paused. */
function findHindrance({ state, stateText }: JourneyRow, emails: StepEmail[], campaignIds: Set<string>): string {
  if (stateText || state !== 'active') return stateText
  const paused = emails.find((email) => email.state === 'paused' && campaignIds.has(email.campaignId))
  return paused ? `The email “${paused.name}” is paused. ${paused.stateText}`.trim() : ''
}

/** A journey with its steps, and what has to be fixed. */
export async function presentJourney(db: Db, row: JourneyRow): Promise<Journey> {
  const { workspaceId, id, definition } = row
  const waiting = await countWaiting(db, workspaceId, [id])
  const emails = await readStepEmails(db, workspaceId, [id])
  const steps = new Map((await listSteps(db, workspaceId, [id])).map((step) => [step.stepId, step]))
  const active = waiting.reduce((sum, one) => sum + one.waiting, 0)
  const campaignIds = new Set([...steps.values()].flatMap(({ campaignId }) => campaignId ?? []))
  return {
    ...summarize(row, active, emails),
    definition,
    version: row.version,
    stateText: findHindrance(row, emails, campaignIds),
    steps: [...toProgram(definition).steps.keys()].map((stepId) => ({
      stepId,
      entered: Number(steps.get(stepId)?.entered ?? 0),
      waiting: waiting.find((one) => one.stepId === stepId)?.waiting ?? 0,
      campaignId: steps.get(stepId)?.campaignId ?? null,
    })),
    problems: await findProblems(db, workspaceId, definition),
  }
}
