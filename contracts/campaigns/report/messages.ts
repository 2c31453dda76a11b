import { z } from 'zod'
import { MessageState } from '#contracts/campaigns/campaign.ts'
import { cursorCodec, Id, Line, PageQuery, QueryNumber, Search } from '#contracts/values.ts'

/** What a recipient did, or what became of the message to them. `no_response`: it was accepted, and they did nothing. */
export const RecipientEvent = z.enum([
  'opened',
  'clicked',
  'replied',
  'unsubscribed',
  'delivered',
  'read',
  'bounced',
  'not_opened',
  'no_response',
])
export type RecipientEvent = z.infer<typeof RecipientEvent>

const LinkNumber = QueryNumber(z.number('is not the number of a link').int().min(0).max(100_000))

/** Which recipients of a campaign are meant. All that is given must hold. */
export const RecipientFilter = z.object({
  state: MessageState.optional(),
  q: Search.optional(),
  event: RecipientEvent.optional(),
  /** `true`: opens and clicks by bots instead of those by people. */
  machine: z.enum(['true', 'false']).optional(),
  /** The number of a link (`links` of the stats): who clicked it. */
  link: LinkNumber.optional(),
  /** An email client as the stats name it: who opened the email in it. */
  client: z.string().max(60).optional(),
})
export type RecipientFilter = z.infer<typeof RecipientFilter>

export const RecipientOrder = z.enum(['added', 'activity', 'address'])
export type RecipientOrder = z.infer<typeof RecipientOrder>

/** Where a page of recipients ended: by the order it was in. */
export const RecipientCursor = cursorCodec(z.object({ sort: RecipientOrder, key: z.string().max(400), place: Id }))

export const RecipientQuery = PageQuery.extend({
  ...RecipientFilter.shape,
  cursor: RecipientCursor.optional(),
  /** `added`: as they were written down. `activity`: the last one to do something first. `address`: person2 before person10. */
  sort: RecipientOrder.default('added'),
})

/** What is said of a filter where it is offered. */
export const FILTER_RULES =
  '`link` is for people who clicked, `client` for people who opened; `machine` needs one of these events. An event that cannot be known has no recipients: the channel does not report it, or only totals are tracked.'

/** A list of the recipients that are meant. */
export const NewRecipientList = z.strictObject({
  name: Line(120).min(1, 'is required'),
  ...RecipientFilter.shape,
  link: z.number().int().min(0).max(100_000).optional(),
  machine: z.boolean().default(false),
})
