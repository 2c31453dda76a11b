import { z } from 'zod'

const ID = /^[1-9]\d{0,17}$/

/** Database identity: a bigint as a string. */
export const Id = z.string().regex(ID, 'is not an id')
/** A time zone of IANA's database. Which names there are is up to the server's version of it. */
export const TimeZone = z.string().max(64).describe('IANA time zone, such as Europe/Berlin')
/** ISO 8601 in UTC. */
export const Moment = z.iso.datetime({ offset: true })
const isFromYear = (text: string, year: number) => Date.parse(text) >= Date.UTC(year)
/** One that a caller gives: with days before and after it that ISO 8601 can write, too. */
export const GivenMoment = Moment.refine(
  (text) => isFromYear(text, 1900) && !isFromYear(text, 9000),
  'must be between the years 1900 and 9000',
)
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

const NOT_A_CURSOR = 'is not a cursor of this list'

/** The cursor of a list in order of ids: the last id of the page before. */
export const Cursor = z.string().regex(ID, NOT_A_CURSOR).describe('`nextCursor` of the page before')

function readPlace<T extends z.ZodType>(place: T, text: string): z.ZodSafeParseResult<z.output<T>> | undefined {
  try {
    return place.safeParse(JSON.parse(new TextDecoder().decode(z.util.base64urlToUint8Array(text))))
  } catch {
    return undefined
  }
}

const CursorText = z
  .string()
  .max(500, NOT_A_CURSOR)
  .regex(/^[A-Za-z0-9_-]+$/, NOT_A_CURSOR)
  .describe('`nextCursor` of the page before; what it holds is not documented')

/** The cursor of a list in another order: where the page before ended, as JSON in base64url. `z.encode` makes it. */
export const cursorCodec = <T extends z.ZodType>(place: T) =>
  z.codec(CursorText, z.custom<z.output<T>>(), {
    decode(text, context) {
      const read = readPlace(place, text)
      if (read?.success) return read.data
      context.issues.push({ code: 'custom', input: text, message: NOT_A_CURSOR })
      return z.NEVER
    },
    encode: (ended) => z.util.uint8ArrayToBase64url(new TextEncoder().encode(JSON.stringify(ended))),
  })

/** A number in a query. An empty text is none, where `Number` makes 0 of it. */
export const QueryNumber = (number: z.ZodNumber) =>
  z.preprocess((given) => (typeof given === 'string' && given.trim() === '' ? Number.NaN : Number(given)), number)

/** The cursor of a list that counts: how many items come before the page. */
export const Offset = QueryNumber(
  z.number(NOT_A_CURSOR).int(NOT_A_CURSOR).min(1, NOT_A_CURSOR).max(1_000_000, NOT_A_CURSOR),
)

export const PageQuery = z.object({
  limit: QueryNumber(z.number().int().min(1).max(200)).default(50),
  cursor: Cursor.optional(),
})

/** What a list is searched for. */
export const Search = z.string().max(200)

/** A list that is always whole. */
export const ListOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), nextCursor: z.null() })

/** A page of a list. `total` is given where it is cheap to know. */
export const PageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable(), total: z.number().int().optional() })
