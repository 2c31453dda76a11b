/** An object as Meta sent it, of which nothing is known yet. */
export type Json = Record<string, unknown>

/** Whether a value is an object, and no list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects of a list; none where it is no list. */
export const toObjects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
