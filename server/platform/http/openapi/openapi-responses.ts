import { z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { Endpoint } from '#contracts/endpoint.ts'
import { fileRule, formFields } from '#contracts/form-file.ts'
import { Problem } from '#contracts/problem.ts'

const REFUSALS: Record<number, string> = {
  400: 'A value is invalid; `details` names the field',
  401: 'The token is missing, invalid or expired',
  402: 'A limit of the plan is reached, or the payment was declined',
  403: 'Not allowed: `admin_required`, `plan_required` or another `code`',
  404: 'It does not exist in this workspace',
  408: 'The request did not arrive in time',
  409: 'It conflicts with the current state; `code` names the conflict',
  413: 'The request is too large',
  415: 'The content type is not one of those listed',
  429: 'Too many requests; see Retry-After',
  431: 'The URL and the headers are larger than 16 KB',
  502: 'An outside service could not be reached. Nothing was changed',
  503: 'Temporarily unavailable; see Retry-After',
  507: 'The server has no space for the file',
}

/** Statuses below 500 and beyond success that follow from how an endpoint is called; the others are its `refusals`. */
function listStatuses(e: Endpoint): number[] {
  const isStored = e.form && Object.values(formFields(e.form)).some((field) => fileRule(field)?.isStored)
  const writes = e.method !== 'GET'
  const found = [
    (writes || e.query) && 400,
    e.access !== 'public' && 401,
    (e.access === 'paid' || e.access === 'admin' || e.paidIf) && 403,
    e.params && 404,
    408,
    writes && 413,
    writes && 415,
    (e.form || e.transport === 'events') && 429,
    431,
    isStored && 507,
    503,
    ...(e.refusals ?? []),
  ]
  return [...new Set(found.filter((status): status is number => typeof status === 'number'))].toSorted((a, b) => a - b)
}

const binary = (type: string) => ({
  schema: z.any().meta({
    override: type.startsWith('text/')
      ? { type: 'string' }
      : { type: 'string', format: 'binary', contentMediaType: type },
  }),
})

function success(e: Endpoint): ZodOpenApiResponseObject {
  if (e.transport === 'file')
    return {
      description: 'A file',
      content: Object.fromEntries((e.types ?? ['application/octet-stream']).map((type) => [type, binary(type)])),
    }
  if (e.transport === 'redirect') return { description: 'A redirect for a browser to follow' }
  if (e.transport === 'events')
    return {
      description: 'An endless stream of server-sent events; the data of each is JSON of the schema in `x-data`',
      content: {
        // What goes over the wire is text (RFC 9110 content of text/event-stream), whatever its data holds.
        'text/event-stream': {
          schema: z.string(),
          ...(e.response && { 'x-data': z.toJSONSchema(e.response, { io: 'output' }) }),
        },
      },
    }
  return { description: 'Done', content: { 'application/json': { schema: e.response ?? z.object({}) } } }
}

/** The responses of an endpoint by status. `links` go with the successful one. */
export function buildResponses(e: Endpoint, links: Record<string, object>): Record<string, ZodOpenApiResponseObject> {
  const refused = listStatuses(e).map((status): [number, ZodOpenApiResponseObject] => {
    const description = REFUSALS[status] ?? 'Refused'
    if (e.refusalsAre === 'text' && e.refusals?.includes(status))
      return [status, { description: 'The reason, as plain text', content: { 'text/plain': { schema: z.string() } } }]
    return [status, { description, content: { 'application/json': { schema: Problem } } }]
  })
  const done = success(e)
  return {
    [e.status ?? 200]: Object.keys(links).length > 0 ? { ...done, links } : done,
    ...(e.alsoRedirects && { 303: { description: 'For an HTML form: a redirect to the page with the result' } }),
    ...Object.fromEntries(refused),
  }
}
