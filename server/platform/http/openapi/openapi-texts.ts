import type { z } from 'zod'

interface TextSchema {
  type?: unknown
  format?: unknown
  pattern?: unknown
  minLength?: unknown
}

/** What every text obeys: NUL cannot be stored (input-text.ts). */
const STORABLE = '^[^\\u0000]*$'
/** A pattern that forbids characters and nothing else. */
const FORBIDS = /^\^\[\^((?:\\u[0-9a-f]{4}|-)+)\]\*\$$/

/** Whether a pattern only forbids characters that no example has. */
export const isOpenPattern = (pattern: string) => pattern.startsWith('^[^\\u0000')

/** Adds to the schema of a text of an input what zod's own JSON Schema does not say: no NUL, and not only spaces where they are cut. */
export function addTextRules(zodSchema: z.core.$ZodTypes, jsonSchema: TextSchema): void {
  const { def } = zodSchema._zod
  if (def.type !== 'string' || jsonSchema.type !== 'string' || jsonSchema.format) return
  jsonSchema.pattern ??= STORABLE
  const isTrimmed = def.checks?.some((check) => check._zod.def.check === 'overwrite')
  const forbidden = FORBIDS.exec(String(jsonSchema.pattern))?.[1]
  if (isTrimmed && forbidden && Number(jsonSchema.minLength ?? 0) > 0)
    jsonSchema.pattern = `^[^${forbidden}]*[^${forbidden}\\s][^${forbidden}]*$`
}
