import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { isPaid } from '#contracts/billing/plans.ts'
import { type Checked, type Endpoint, IDEMPOTENCY_KEY, type ResponseBody } from '#contracts/endpoint.ts'
import { fileRule, formFields } from '#contracts/form-file.ts'
import { findProblems, labelField, toSentence } from '#contracts/invalid-input.ts'
import { readForm } from './form.ts'
import { findTextProblem } from './input-text.ts'
import { countStream, reserveForm } from './limits/shares.ts'
import { adminRequired, invalid, planRequired, Refusal, unauthorized } from './refusal.ts'

/** The signed-in caller, as the session guard found them. */
export interface Caller {
  userId: string
  workspaceId: string
  sessionId: string
  email: string
  role: 'user' | 'admin'
  plan: string
  /** When their session last changed something, where it is noted. */
  wroteAt?: Date | null
}

/** Finds the caller of a bearer token, or nothing: expired, forged, signed out. */
export type FindCaller = (token: string) => Promise<Caller | undefined>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
  interface FastifyInstance {
    findCaller: FindCaller
    /** Notes that the session changed something; undefined where nobody asks. */
    noteWrite: ((sessionId: string) => Promise<unknown>) | undefined
  }
}

type Visitor<E extends Endpoint> = E['access'] extends 'public' ? Caller | undefined : Caller
/** Reads and checks the form of a request, once. Files that are not held in memory are written to `folder`. */
export type FormReader<E> = E extends { form: infer F extends z.ZodType }
  ? (folder?: string) => Promise<z.output<F>>
  : undefined
type HandlerInput<E extends Endpoint> = Checked<E> & {
  caller: Visitor<E>
  request: FastifyRequest
  reply: FastifyReply
  /** The Idempotency-Key of the request, where the endpoint takes one. */
  idempotencyKey: string | undefined
  /** Called by the handler once it knows that the form is wanted, so that no file travels in vain. Undefined where JSON came. */
  form: E extends { body: z.ZodType } ? FormReader<E> | undefined : FormReader<E>
}
type HandlerResult<E extends Endpoint> = E extends { transport: 'file' | 'events' | 'redirect' }
  ? unknown
  : E extends { response: z.ZodType }
    ? z.input<E['response']> | ResponseBody<E>
    : unknown

/** The bearer token of a request; never taken from the address, which ends up in logs. */
function bearer(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

async function guard(app: FastifyInstance, e: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const token = bearer(request)
  request.caller = token ? await app.findCaller(token) : undefined
  // Whatever concerns one person stays out of every cache, refusals and fresh tokens too. What everybody may read does not.
  if (e.access !== 'public' || request.caller || e.method !== 'GET') reply.header('cache-control', 'no-store')
  if (e.access === 'public') return
  if (!request.caller) throw unauthorized()
  if (e.access === 'admin' && request.caller.role !== 'admin') throw adminRequired()
  if (e.access === 'paid' && !isPaid(request.caller.plan)) throw planRequired()
}

/** A value that belongs to the paid plans is refused to free callers whatever else the body holds. */
function guardBody(e: Endpoint, request: FastifyRequest): void {
  if (!e.paidIf || !request.caller || isPaid(request.caller.plan)) return
  const body = request.body
  if (typeof body !== 'object' || body === null) return
  for (const [field, values] of Object.entries(e.paidIf)) {
    const given: unknown = Object.hasOwn(body, field) ? Reflect.get(body, field) : undefined
    if (typeof given === 'string' && values.includes(given)) throw planRequired()
  }
}

function check(part: string, schema: z.ZodType, value: unknown): unknown {
  const problem = findTextProblem(value)
  if (problem) throw invalid(problem.field || part, problem.message)
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // A path that names nothing is simply not there: it says no more to a stranger than that.
  if (part === 'params') throw new Refusal(404, 'not_found', 'Not found.')
  const details = findProblems(result.error, value)
  const [first] = details
  throw new Refusal(400, 'invalid', toSentence(labelField(first?.field || part), first?.message ?? 'is invalid'), {
    details,
  })
}

/** A body that did not come is refused by its required fields, or as a whole where it has none. */
function checkBody(schema: z.ZodType, body: unknown): unknown {
  if (body !== undefined || schema.safeParse(undefined).success) return check('body', schema, body)
  check('body', schema, {})
  throw invalid('body', 'is required: send JSON')
}

/** The Idempotency-Key of a request, where it has one. Refusal 400 for one that cannot be stored as it is. */
function readKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key
  throw invalid('Idempotency-Key', 'must be 1 to 255 characters of ASCII')
}

const SESSION_POLL_INTERVAL_MS = 5_000

/** A stream outlives the guard: it is cut off seconds after its session ended, whether by logout, suspension or time. */
function endWithSession(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): void {
  const token = bearer(request)
  if (!token) return
  const look = async () => {
    // A database that is away for a moment is no reason.
    const ended = await app.findCaller(token).then(
      (caller) => caller === undefined,
      () => false,
    )
    if (ended) reply.raw.destroy()
  }
  const timer = setInterval(() => void look(), SESSION_POLL_INTERVAL_MS)
  reply.raw.once('close', () => clearInterval(timer))
}

/**
 * Serves one endpoint of the contract: guard first, then its inputs are checked, then the handler, then the answer is
 * filtered by its schema, so that a column nobody named never leaves.
 */
export function mount<const E extends Endpoint>(
  app: FastifyInstance,
  e: E,
  handle: (given: HandlerInput<E>) => Promise<HandlerResult<E>> | HandlerResult<E>,
): void {
  const isStored = e.form !== undefined && Object.values(formFields(e.form)).some((field) => fileRule(field)?.isStored)
  app.route({
    method: e.method,
    url: e.path,
    exposeHeadRoute: false,
    config: { endpoint: e },
    onRequest: (request, reply) => guard(app, e, request, reply),
    handler: async (request, reply) => {
      const form = e.form !== undefined && request.isMultipart() ? e.form : undefined
      if (e.form !== undefined && !e.body && !form)
        throw new Refusal(415, 'unsupported_media_type', 'Send a form (multipart/form-data).')
      guardBody(e, request)
      const given = {
        params: e.params && check('params', e.params, request.params),
        query: e.query && check('query', e.query, request.query),
        body: e.body && !form ? checkBody(e.body, request.body) : undefined,
        form: form && ((folder?: string) => readForm(form, request, folder)),
        caller: request.caller,
        request,
        reply,
        idempotencyKey: e.isIdempotent && readKey(request),
      } as unknown as HandlerInput<E>
      if (e.transport === 'events') {
        countStream(request, reply)
        endWithSession(app, request, reply)
      }
      const release = form && !isStored ? reserveForm(request) : undefined
      const result = await Promise.resolve(handle(given)).finally(release)
      // Before the response: the next request, at whatever process, is to see what this one changed.
      if (e.method !== 'GET' && request.caller) await app.noteWrite?.(request.caller.sessionId)
      if (reply.sent || (e.transport !== undefined && e.transport !== 'json')) return reply.sent ? reply : result
      return reply.code(e.status ?? 200).send(e.response ? e.response.parse(result) : {})
    },
  })
}
