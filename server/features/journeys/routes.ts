import type { FastifyInstance } from 'fastify'
import { journeys } from '#contracts/journeys/journeys.ts'
import { journeyTrials } from '#contracts/journeys/trials.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { activateJourney, pauseJourney, testStep } from './activation.ts'
import { changeJourney, removeJourney } from './changes.ts'
import { startEnrolment } from './enrolment.ts'
import * as rules from './journeys.ts'
import { listPeople } from './people.ts'
import { replayJourney } from './trials/replay.ts'
import { simulateJourney } from './trials/simulate.ts'

/** Mounts journeys, their people, and the background work that lets contacts enter. */
export function mountJourneys(app: FastifyInstance, services: Services): void {
  const { db, reads } = services
  mount(app, journeys.list, ({ caller, query }) => rules.listJourneys(db, caller.workspaceId, query))
  mount(app, journeys.create, ({ caller, body }) => rules.createJourney(db, caller.workspaceId, body))
  mount(app, journeys.get, ({ caller, params }) => rules.showJourney(db, caller.workspaceId, params.id))
  mount(app, journeys.update, ({ caller, params, body }) =>
    changeJourney(services, caller.workspaceId, params.id, body),
  )
  mount(app, journeys.remove, async ({ caller, params }) => {
    await removeJourney(services, caller.workspaceId, params.id)
    return {}
  })
  mount(app, journeys.activate, ({ caller, params }) => activateJourney(services, caller.workspaceId, params.id))
  mount(app, journeys.pause, ({ caller, params }) => pauseJourney(services, caller.workspaceId, params.id))
  mount(app, journeys.test, ({ caller, params, body }) => testStep(services, caller, params.id, body))
  mount(app, journeyTrials.simulate, ({ caller, params, body }) =>
    simulateJourney(db, caller.workspaceId, params.id, body.contactId),
  )
  mount(app, journeyTrials.replay, ({ caller, params, body }) =>
    reads.run(caller, (db) => replayJourney(db, caller.workspaceId, params.id, body.days)),
  )
  mount(app, journeys.people, async ({ caller, params, query }) => {
    await rules.findJourney(db, caller.workspaceId, params.id)
    return listPeople(db, caller.workspaceId, params.id, query)
  })
  mount(app, journeys.enrol, async ({ caller, params, body }) => ({
    jobId: await startEnrolment(services, caller, params.id, body),
  }))
}
