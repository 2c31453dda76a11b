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

interface RefusalExample {
  code: string
  text: string
  field?: string
}

const EXAMPLES: Record<string, RefusalExample> = {
  400: { code: 'invalid', text: 'is not an email address', field: 'email' },
  401: { code: 'unauthorized', text: 'Unauthorized' },
  402: {
    code: 'quota_used_up',
    text: 'Your plan includes 10,000 contacts, and all of them are used. Remove some or choose a larger plan.',
  },
  403: { code: 'plan_required', text: 'This tool requires a paid plan.' },
  admin: { code: 'admin_required', text: 'Only an admin can do this.' },
  404: { code: 'not_found', text: 'Not found.' },
  408: { code: 'timeout', text: 'The request did not arrive in time.' },
  409: { code: 'conflict', text: 'This already exists.' },
  413: {
    code: 'too_large',
    text: 'The request is too large: 4 MB at most, 1 MB for a template. Nothing was changed.',
  },
  415: {
    code: 'unsupported_media_type',
    text: 'Send JSON, or a form with a file where a file is asked for.',
  },
  429: { code: 'too_many_requests', text: 'Too many requests. Wait a few minutes, then try again.' },
  431: { code: 'too_large', text: 'The URL and the headers are larger than 16 KB.' },
  502: { code: 'google_unreachable', text: 'Google could not be reached. Nothing was changed. Try again.' },
  503: { code: 'unavailable', text: 'The server is too busy or restarts. Try again in a few seconds.' },
  507: {
    code: 'disk_full',
    text: 'The server has no space for the file. Nothing was stored. Free some space, then upload it again.',
  },
}

/** Refusals as the server words them, by the names under which responses refer to them. */
export const REFUSAL_EXAMPLES = Object.fromEntries(
  Object.entries(EXAMPLES).map(([name, { code, text, field }]) => {
    const message = field ? `${field} ${text}` : text
    return [name, { value: { error: message, message, code, ...(field && { details: [{ field, message: text }] }) } }]
  }),
)

/** Refusals of a call that responds with plain text. */
const TEXT_EXAMPLES: Record<number, string> = {
  401: 'The email address or password is incorrect.',
  403: 'Confirm your email address first. The link is in the email we sent you.',
  429: 'Too many tries for this account. Wait a few minutes, then try again.',
}

function findRefusalExample(e: Endpoint, status: number) {
  const name = status === 403 && e.access === 'admin' ? 'admin' : String(status)
  return EXAMPLES[name] && { examples: { refusal: { $ref: `#/components/examples/${name}` } } }
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
      : type === 'application/json'
        ? { type: 'object' }
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
      return [
        status,
        {
          description: 'The reason, as plain text',
          content: { 'text/plain': { schema: z.string(), example: TEXT_EXAMPLES[status] } },
        },
      ]
    return [
      status,
      { description, content: { 'application/json': { schema: Problem, ...findRefusalExample(e, status) } } },
    ]
  })
  const done = success(e)
  return {
    [e.status ?? 200]: Object.keys(links).length > 0 ? { ...done, links } : done,
    ...(e.alsoRedirects && { 303: { description: 'For an HTML form: a redirect to the page with the result' } }),
    ...Object.fromEntries(refused),
  }
}
