import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { cursorCodec, Id, IdParams, Moment, PageOf, PageQuery } from '#contracts/values.ts'

export const TimelineKind = z.enum([
  'added',
  'edited',
  'merged',
  'list_joined',
  'list_pending',
  'list_left',
  'tagged',
  'suppressed',
  'found',
  'consent',
  'confirmed',
  'preference',
  'custom_event',
  'journey_entered',
  'journey_left',
  'message',
  'open',
  'click',
  'view',
  'unsubscribe',
  'complaint',
  'reply',
  'bounce',
  'whatsapp_in',
  'whatsapp_out',
])
export type TimelineKind = z.infer<typeof TimelineKind>

/** Something that happened with a contact. */
export const TimelineEntry = z.object({
  /** Unique among the entries of a contact. */
  key: z.string(),
  at: Moment,
  kind: TimelineKind,
  /** The campaign it belongs to; its id is null once it was removed. `step` counts from 1, follow-ups from 2. */
  campaign: z.object({ id: Id.nullable(), name: z.string(), channel: z.string(), step: z.number().int() }).nullable(),
  /** The source, reason, state or status, as other endpoints have it; how a consent was given or a journey ended. */
  state: z.string(),
  /** The name of a list, a tag, a journey or a custom event, names of fields that were edited, a note, what a server replied, why a message was suppressed, the text of a message: at most 500 characters. */
  detail: z.string(),
  /** The link that was clicked, or the page a contact was found on. */
  url: z.string().nullable(),
  /** Whether a bot did it; null where only people can. */
  isBot: z.boolean().nullable(),
  /** How often it happened at this moment. */
  times: z.number().int(),
  /** What edited fields had before and have since, shortened to 100 characters: of up to 20 fields, and of no address. null: an edit of before, or none. */
  changes: z.array(z.object({ field: z.string(), from: z.string().nullable(), to: z.string().nullable() })).nullable(),
  /** The properties of a custom event; null for everything else. */
  properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable(),
  /** The name of the user who edited the contact; null where that is not known. */
  editor: z.string().nullable(),
  /** From where a person confirmed lists or changed their preferences; null for everything else. */
  visitor: z.object({ ip: z.string(), userAgent: z.string() }).nullable(),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** Where a page of a timeline ended: the time in microseconds since 1970, and the key of its last entry. */
export const TimelineCursor = cursorCodec(
  z.tuple([z.string().regex(/^-?\d{1,18}$/), z.string().regex(/^[a-z]{1,20}:\d{0,19}$/)]),
)

export const contactTimeline = {
  export: endpoint('GET /api/contacts/:id/export', 'user', {
    types: ['application/json'],
    summary: 'Export everything that is known of a contact as JSON: fields, lists, tags, sources and what happened',
    transport: 'file',
    params: IdParams,
  }),
  show: endpoint('GET /api/contacts/:id/timeline', 'user', {
    summary:
      'List what happened with a contact, newest first: messages and their state, opens and clicks by people and bots, bounces, unsubscribes, WhatsApp messages, lists, consents, changes of preferences, custom events, journeys',
    params: IdParams,
    query: PageQuery.extend({ cursor: TimelineCursor.optional() }),
    response: PageOf(TimelineEntry),
  }),
}
