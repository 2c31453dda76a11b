import { z } from 'zod'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { ContactFilter } from '#contracts/contacts/filter.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'
import { JourneyDefinition } from './definition.ts'

/** Journeys of a workspace at most. */
export const MAX_JOURNEYS = 200

export const JourneyState = z.enum(['draft', 'active', 'paused', 'archived'])
export type JourneyState = z.infer<typeof JourneyState>

const count = z.number().int()

/** What happened at a step so far. */
const StepCounts = z.object({
  stepId: z.string(),
  /** Contacts who got here, and who are here now. */
  entered: count,
  waiting: count,
  /** Of an email step that was activated: the campaign that is its report. */
  campaignId: Id.nullable(),
})

/** A journey as lists show it. */
export const JourneySummary = z.object({
  id: Id,
  name: z.string(),
  state: JourneyState,
  /** Contacts who entered, are on their way, and ended: at the last step or an exit, by the goal, or because they left. */
  entered: count,
  active: count,
  ended: count,
  /** How often email steps sent an email. */
  sent: count,
  activatedAt: Moment.nullable(),
  createdAt: Moment,
  updatedAt: Moment,
})
export type JourneySummary = z.infer<typeof JourneySummary>

export const Journey = JourneySummary.extend({
  definition: JourneyDefinition,
  /** Counts the changes of its name, steps and state. Given with a change, it keeps two tabs from overwriting each other. */
  version: z.number().int(),
  /** Why it is paused, or what stops contacts from going on, in words; empty: nothing. */
  stateText: z.string(),
  steps: z.array(StepCounts),
  /** What has to be fixed before it can be activated; `stepId` is null for the trigger and filters. */
  problems: z.array(
    z.object({
      stepId: z.string().nullable(),
      field: z.string(),
      severity: z.enum(['error', 'warning']),
      message: z.string(),
    }),
  ),
})
export type Journey = z.infer<typeof Journey>

export const PersonState = z.enum(['active', 'done', 'goal', 'exited'])

/** A contact in a journey. */
export const JourneyPerson = z.object({
  contactId: Id,
  /** null: the contact has no email address. */
  email: z.string().nullable(),
  name: z.string(),
  state: PersonState,
  /** Where the contact is; the last step there was for one that ended. */
  stepId: z.string().nullable(),
  /** When it goes on; null: it ended. */
  dueAt: Moment.nullable(),
  enteredAt: Moment,
  endedAt: Moment.nullable(),
})
export type JourneyPerson = z.infer<typeof JourneyPerson>

const name = Line(120).min(1, 'is required')
const REFERENCES = 'The lists, tags, segments, templates, senders and campaigns of the definition exist.'

export const journeys = {
  list: endpoint('GET /api/journeys', 'user', {
    summary: 'List journeys, newest first. Archived ones only when asked for',
    query: PageQuery.extend({ state: JourneyState.optional() }),
    response: PageOf(JourneySummary),
  }),
  create: endpoint('POST /api/journeys', 'user', {
    refusals: [409],
    summary: 'Create a draft of a journey',
    rules: REFERENCES,
    status: 201,
    body: z.strictObject({ name, definition: JourneyDefinition }),
    response: Journey,
  }),
  get: endpoint('GET /api/journeys/:id', 'user', {
    summary: 'Get a journey with the counts of its steps',
    params: IdParams,
    response: Journey,
  }),
  update: endpoint('PATCH /api/journeys/:id', 'user', {
    refusals: [409],
    summary:
      'Rename a journey, replace the definition of one that is not active, or archive it. Contacts at a step that was removed leave. With `version`, only if it has not changed since (409 version_conflict)',
    rules: REFERENCES,
    params: IdParams,
    body: z.strictObject({
      name: name.optional(),
      definition: JourneyDefinition.optional(),
      state: z.literal('archived').optional(),
      version: z.number().int().positive().optional(),
    }),
    response: Journey,
  }),
  remove: endpoint('DELETE /api/journeys/:id', 'user', {
    refusals: [409],
    summary: 'Delete a draft or an archived journey. Reports of its emails stay in the timelines of contacts',
    params: IdParams,
    response: Empty,
  }),
  activate: endpoint('POST /api/journeys/:id/activate', 'user', {
    refusals: [409],
    summary: 'Activate a journey, or resume a paused one. 409 `not_ready` has everything to fix in `details`',
    params: IdParams,
    response: Journey,
  }),
  pause: endpoint('POST /api/journeys/:id/pause', 'user', {
    refusals: [409],
    summary: 'Pause a journey: no contact enters or continues. Queued emails are still sent',
    params: IdParams,
    response: Journey,
  }),
  test: endpoint('POST /api/journeys/:id/test', 'user', {
    refusals: [402, 409, 429],
    summary:
      'Send the email of a step to one address, marked as a test. It counts in the month and in no report, and can be sent before the journey is activated',
    rules: '`stepId` is an email step of the saved definition.',
    params: IdParams,
    body: z.strictObject({ stepId: z.string().min(1, 'is required').max(40), to: Line(320).min(1, 'is required') }),
    response: campaigns.test.response,
  }),
  people: endpoint('GET /api/journeys/:id/people', 'user', {
    summary: 'List the contacts of a journey, newest first',
    params: IdParams,
    query: PageQuery.extend({ step: z.string().max(40).optional(), state: PersonState.optional() }),
    response: PageOf(JourneyPerson),
  }),
  enrol: endpoint('POST /api/journeys/:id/enrol', 'user', {
    refusals: [409, 429],
    gives: { under: ['/api/jobs'], pointer: '/jobId' },
    summary:
      'Let contacts enter an active journey in the background: up to 10,000 by id, or all that match a filter. Contacts who entered before are skipped',
    params: IdParams,
    status: 202,
    body: z
      .strictObject({
        contactIds: z
          .array(Id)
          .min(1, 'needs at least one contact')
          .max(10_000, 'takes up to 10,000 contacts')
          .optional(),
        filter: ContactFilter.optional(),
      })
      .refine(({ contactIds, filter }) => (contactIds === undefined) !== (filter === undefined), {
        path: ['contactIds'],
        message: 'or a filter is required, and not both',
      }),
    response: z.object({ jobId: Id }),
  }),
}
