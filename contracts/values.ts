import { z } from 'zod'

/** Database identity: a bigint as a string. */
export const Id = z.string().regex(/^[1-9]\d{0,18}$/, 'is not an id')
/** ISO 8601 in UTC. */
export const Moment = z.iso.datetime({ offset: true })
export const IdParams = z.object({ id: Id })
export const Empty = z.object({})
export const Message = z.object({ message: z.string() })

/** Control characters never belong in a name, a subject or a header. */
export const Line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    .regex(/^[^\u0000-\u001f\u007f\u2028\u2029]*$/, 'must be one line without control characters')

export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
})

/** A page of a list. `total` is given where it is cheap to know. */
export const PageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable(), total: z.number().int().optional() })
