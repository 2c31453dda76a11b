import { z } from 'zod'
import { Id } from './values.ts'

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is a time such as 09:00')
/** The hours in which a Gmail campaign sends, by the clocks of `timeZone` (IANA). Days: 1 is Monday, 7 Sunday. */
export const SendingWindow = z
  .strictObject({
    days: z.array(z.number().int().min(1).max(7)).min(1, 'needs at least one day').max(7),
    from: ClockTime,
    to: z.union([ClockTime, z.literal('24:00')]),
    timeZone: z.string().min(1).max(64),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be later than the beginning' })
export type SendingWindow = z.infer<typeof SendingWindow>

/** A file that goes out with every message. `size` in bytes. */
export const Attachment = z.object({ id: Id, name: z.string(), type: z.string(), size: z.number().int() })
export type Attachment = z.infer<typeof Attachment>
