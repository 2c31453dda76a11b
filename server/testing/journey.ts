import { sql } from 'kysely'
import { jobs } from '#contracts/contacts/bulk.ts'
import type { JourneyDefinition } from '#contracts/journeys/definition.ts'
import { journeys } from '#contracts/journeys/journeys.ts'
import { templates } from '#contracts/templates/templates.ts'
import type { Services } from '#server/services.ts'
import type { Person } from './app.ts'
import { HTML } from './campaign.ts'
import { until } from './until.ts'

/** A definition that contacts are enrolled in by hand, with these steps. */
export const manual = (
  steps: JourneyDefinition['steps'],
  change: Partial<JourneyDefinition> = {},
): JourneyDefinition => ({ trigger: { kind: 'manual' }, entryFilter: null, goal: null, steps, ...change })

/** An email step with a template of its own. */
export async function emailStep(person: Person, id: string, subject = 'Hello {{ name }}') {
  const template = await person.api(templates.create, { body: { name: id, subject, html: HTML } })
  return {
    ...{ id, kind: 'email' as const, name: `Email ${id}`, subject: '', preheader: '', templateId: template.id },
    ...{ senderId: null, fromName: '', replyTo: null },
  }
}

/** An active journey. */
export async function activeJourney(person: Person, definition: JourneyDefinition, name = 'Journey') {
  const { id } = await person.api(journeys.create, { body: { name, definition } })
  return person.api(journeys.activate, { params: { id } })
}

/** Lets contacts enter by a job and returns it when it has ended. */
export async function enrol({ api }: Person, journeyId: string, contactIds: string[]) {
  const { jobId } = await api(journeys.enrol, { params: { id: journeyId }, body: { contactIds } })
  return until(async () => {
    const job = await api(jobs.get, { params: { id: jobId } })
    return (job.state === 'done' || job.state === 'failed') && job
  }, 'the end of an enrolment')
}

/** The time of everybody who waits in a journey has come. */
export async function letWaitsPass({ db }: Pick<Services, 'db'>, journeyId: string): Promise<void> {
  await sql`update journey_people set due_at = now() where journey_id = ${journeyId} and due_at is not null`.execute(db)
  await sql`update journeys set next_due = now() where id = ${journeyId}`.execute(db)
}

/** Looks until nobody of a journey is due, and returns its people by their address. */
export function untilAtRest(person: Person, journeyId: string, services: Pick<Services, 'db'>) {
  return until(async () => {
    const due =
      await sql`select from journey_people where journey_id = ${journeyId} and due_at <= now() limit 1`.execute(
        services.db,
      )
    if (due.rows.length > 0) return undefined
    const { items } = await person.api(journeys.people, { params: { id: journeyId }, query: { limit: 200 } })
    return new Map(items.map((one) => [one.email, one]))
  }, 'a journey where nobody is due')
}
