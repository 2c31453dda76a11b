import { z } from 'zod'
import { Email } from '#contracts/accounts/accounts.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { GivenMoment, Id, ListOf, Moment } from '#contracts/values.ts'

/** The newest events of a contact are stored, and none longer than this. */
export const MAX_EVENTS = 1_000
export const EVENT_DAYS = 365
/** Properties of an event at most, and their size as JSON. */
const MAX_PROPERTIES = 50
export const MAX_PROPERTY_BYTES = 4_096
/** `at` is at most so long ago. */
export const EVENT_AGE_DAYS = 30
/** Events of a workspace in a minute, and in a day. */
export const EVENTS_A_MINUTE = 1_000
export const EVENTS_A_DAY = 200_000

/** What a contact did elsewhere is called, such as `Order paid`. */
export const EventName = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(64)
  .regex(/^ *[\p{L}\p{N}_.:-][\p{L}\p{N}_ .:-]*$/u, 'has other characters than letters, digits, space, _ . : -')

const Property = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()])
const Properties = z
  .record(
    z
      .string()
      .min(1)
      .max(64)
      .regex(/^(?!__proto__$)/, 'has a name that cannot be used'),
    Property,
  )
  .refine((given) => Object.keys(given).length <= MAX_PROPERTIES, `has more than ${MAX_PROPERTIES} properties`)
  .refine(
    (given) => new TextEncoder().encode(JSON.stringify(given)).length <= MAX_PROPERTY_BYTES,
    `is larger than ${MAX_PROPERTY_BYTES} bytes`,
  )
  .meta({ maxProperties: MAX_PROPERTIES })
const isOne = ({ email, contactId }: { email?: unknown; contactId?: unknown }) =>
  (email === undefined) !== (contactId === undefined)
const EITHER_ONE = {
  anyOf: [
    { required: ['email'], not: { required: ['contactId'] } },
    { required: ['contactId'], not: { required: ['email'] } },
  ],
  examples: [{ name: 'Order paid', email: 'ada@example.com', properties: { total: 20.5, currency: 'EUR' } }],
}

/** Names of events that are listed at most. */
export const MAX_EVENT_NAMES = 200

export const events = {
  names: endpoint('GET /api/events/names', 'user', {
    summary: `List the names of the events that are stored, in the order of the alphabet: the first ${MAX_EVENT_NAMES}`,
    response: ListOf(z.object({ name: z.string(), lastAt: Moment })),
  }),
  record: endpoint('POST /api/events', 'user', {
    refusals: [404, 409, 429],
    summary: 'Record what a contact did elsewhere, such as a purchase',
    rules: `Either email or contactId. \`at\` is at most ${EVENT_AGE_DAYS} days ago, and not in the future: up to 5 minutes ahead count as now. Without it the event happened now. Properties are at most ${MAX_PROPERTIES}, and ${MAX_PROPERTY_BYTES} bytes of JSON. Up to ${EVENTS_A_MINUTE.toLocaleString('en')} events a minute and ${EVENTS_A_DAY.toLocaleString('en')} in 24 hours are taken. The newest ${MAX_EVENTS.toLocaleString('en')} events of a contact are stored, for ${EVENT_DAYS} days.`,
    status: 202,
    isIdempotent: true,
    body: z
      .strictObject({
        name: EventName,
        email: Email.optional(),
        contactId: Id.optional(),
        properties: Properties.default({}),
        at: GivenMoment.optional(),
      })
      .refine(isOne, { path: ['email'], message: 'or contactId is required, and not both' })
      .meta(EITHER_ONE),
    response: z.object({ id: Id }),
  }),
}
