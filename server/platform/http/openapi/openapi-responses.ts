import { z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { Endpoint } from '#contracts/endpoint.ts'
import { fileRule, formFields } from '#contracts/form-file.ts'
import { Problem } from '#contracts/problem.ts'

const REFUSALS: Record<number, string> = {
  400: 'Something given cannot be used; `details` names the field',
  401: 'No token, or one that no longer counts',
  402: 'A limit of the plan is used up, or the payment was declined',
  403: '`admin_required` or `plan_required`, or what its text says',
  404: 'Not there, or another workspace’s',
  408: 'The request did not arrive in time',
  409: 'It contradicts what is; `code` says how',
  413: 'What was sent is too large',
  415: 'The content type is not one that is listed',
  429: 'Too often; see Retry-After',
  431: 'The address and the headers are larger than 16 KB',
  502: 'The service behind it could not be reached. Nothing was changed',
  503: 'Not available at this moment; see Retry-After',
  507: 'The server has no room for the file',
}

/** Statuses below 500 and beyond success that follow from how an endpoint is called; the others are its `refusals`. */
function statusesOf(e: Endpoint): number[] {
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
      description: 'Server-sent events without an end; the data of each is JSON of the shape under `x-data`',
      content: {
        // What goes over the wire is text (RFC 9110 content of text/event-stream), whatever its data holds.
        'text/event-stream': {
          schema: z.string(),
          ...(e.answer && { 'x-data': z.toJSONSchema(e.answer, { io: 'output' }) }),
        },
      },
    }
  return { description: 'Done', content: { 'application/json': { schema: e.answer ?? z.object({}) } } }
}

/** The responses of an endpoint by status. `links` go with the successful one. */
export function responsesOf(e: Endpoint, links: Record<string, object>): Record<string, ZodOpenApiResponseObject> {
  const refused = statusesOf(e).map((status): [number, ZodOpenApiResponseObject] => {
    const description = REFUSALS[status] ?? 'Refused'
    if (e.refusalsAre === 'text' && e.refusals?.includes(status))
      return [status, { description: 'The text says why', content: { 'text/plain': { schema: z.string() } } }]
    return [status, { description, content: { 'application/json': { schema: Problem } } }]
  })
  const done = success(e)
  return {
    [e.status ?? 200]: Object.keys(links).length > 0 ? { ...done, links } : done,
    ...(e.alsoRedirects && { 303: { description: 'Of a form: a redirect to the page that says what became of it' } }),
    ...Object.fromEntries(refused),
  }
}
