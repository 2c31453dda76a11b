import { z } from 'zod'
import { Moment } from '#contracts/values.ts'

const Receiver = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(google|microsoft|yahoo|apple|[a-z0-9_-]+(\.[a-z0-9_-]+)+)$/i,
    'is not google, microsoft, yahoo, apple or a domain',
  )

/** How fast a sender sends to one receiver, beside its own limits. null is without a limit; one of them is set. */
export const ReceiverLimit = z.object({
  receiver: z.string(),
  /** Emails on their way to it at once. */
  connections: z.number().int().nullable(),
  /** In every sliding second, and in every sliding hour. */
  perSecond: z.number().nullable(),
  perHour: z.number().int().nullable(),
})
export type ReceiverLimit = z.infer<typeof ReceiverLimit>

/** The limits of receivers as they are set: those given, and no others. */
export const NewReceiverLimits = z
  .array(
    z
      .strictObject({
        receiver: Receiver,
        connections: z
          .number()
          .int()
          .min(1, 'must be 1 or more')
          .max(50, 'must be 50 or less')
          .nullable()
          .default(null),
        perSecond: z
          .number()
          .min(0.01, 'must be 0.01 or more')
          .max(1_000, 'must be 1,000 or less')
          .nullable()
          .default(null),
        perHour: z
          .number()
          .int()
          .min(1, 'must be 1 or more')
          .max(1_000_000, 'must be 1,000,000 or less')
          .nullable()
          .default(null),
      })
      .refine((limit) => limit.connections !== null || limit.perSecond !== null || limit.perHour !== null, {
        path: ['perHour'],
        message: 'is required where no other limit is set',
      })
      .meta({ examples: [{ receiver: 'google', connections: 2, perSecond: null, perHour: 1_000 }] }),
  )
  .max(20, 'are 20 at most')
  .refine((limits) => new Set(limits.map(({ receiver }) => receiver)).size === limits.length, 'name a receiver twice')
  .meta({ description: 'each receiver once', uniqueItems: true })

/** A receiver that asked for fewer emails: it is sent `perHour` now, more every quarter of an hour, and is back to `usual` at `until`. */
export const SlowedReceiver = z.object({
  receiver: z.string(),
  perHour: z.number().int(),
  usual: z.number().int(),
  until: Moment,
  response: z.string(),
})
export type SlowedReceiver = z.infer<typeof SlowedReceiver>
