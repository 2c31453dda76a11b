import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findProblems } from '#contracts/invalid-input.ts'
import { Id } from '#contracts/values.ts'
import { invalid } from '#server/platform/http/refusal.ts'

const MAX_LISTS = 200
const Ids = z.array(Id).max(MAX_LISTS)
const Channels = z.array(z.enum(['email', 'whatsapp'])).max(2)

/** What the preference page posts, and scripts as JSON. What is missing stays as it is. */
const PreferenceBody = z.strictObject({
  action: z.enum(['save', 'unsubscribe', 'download', 'erase']).default('save'),
  lists: Ids.optional(),
  shownLists: Ids.optional(),
  channels: Channels.optional(),
  shownChannels: Channels.optional(),
  frequency: z.enum(['all', 'weekly', 'pause']).optional(),
})
export type PreferenceBody = z.output<typeof PreferenceBody>

export const isJson = (request: FastifyRequest): boolean =>
  /^application\/json\b/i.test(request.headers['content-type'] ?? '')

/** A form has no field for a box that is not ticked: what it showed says which were there. */
function readForm(text: string): unknown {
  const form = new URLSearchParams(text)
  const shown = (name: string, values: string) =>
    form.has(name) ? { [name]: form.getAll(name), [values]: form.getAll(values) } : {}
  const one = (name: string) => (form.has(name) ? { [name]: form.get(name) } : {})
  return {
    ...one('action'),
    ...one('frequency'),
    ...shown('shownLists', 'lists'),
    ...shown('shownChannels', 'channels'),
  }
}

/** What is posted, as a form or as JSON. Throws Refusal 400 naming the field. */
export function readBody(request: FastifyRequest): PreferenceBody {
  const text = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''
  let given: unknown
  try {
    given = isJson(request) ? JSON.parse(text) : readForm(text)
  } catch {
    throw invalid('body', 'is not valid JSON')
  }
  const { success, data, error } = PreferenceBody.safeParse(given)
  if (success) return data
  const [problem] = findProblems(error, given)
  throw invalid(problem?.field || 'body', problem?.message ?? 'is invalid')
}
