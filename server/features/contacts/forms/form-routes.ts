import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forms } from '#contracts/contacts/forms.ts'
import { mount } from '#server/platform/http/mount.ts'
import { takePage } from '#server/platform/http/page.ts'
import { sendLost } from '#server/platform/http/pages/small-pages.ts'
import { notFound, Refusal, tooMany } from '#server/platform/http/refusal.ts'
import { send } from '#server/platform/http/responses.ts'
import type { Services } from '#server/services.ts'
import { buildScript } from './embed.ts'
import { PAGE_SCRIPT_PATH, type Retry, renderDone, renderForm } from './form-page.ts'
import { countViews } from './form-views.ts'
import * as rules from './forms.ts'
import { type FormRow, findLists, formBySlug } from './forms-store.ts'
import { findInputs } from './inputs.ts'
import { limitChallenges, makeChallenge } from './proof.ts'
import { PAGE_SCRIPT } from './proof-script.ts'
import { readValues, submitForm, writeOpened } from './submit.ts'

/** A form with all its fields at their longest is far below. */
const BODY_LIMIT = 64 * 1024
const SCRIPT_SECONDS = 300
const MAX_SLUG = 60

/** The calls for owners of forms, and the pages and posts of everybody. */
export function mountForms(app: FastifyInstance, services: Services): void {
  const { db } = services
  mount(app, forms.list, async ({ caller, query: { limit, cursor } }) =>
    takePage(
      await rules.listForms(services, caller.workspaceId, { limit: limit + 1, ...(cursor && { after: cursor }) }),
      limit,
    ),
  )
  mount(app, forms.create, ({ caller, body }) => rules.createForm(services, caller.workspaceId, body))
  mount(app, forms.get, ({ caller, params }) => rules.showForm(services, caller.workspaceId, params.id))
  mount(app, forms.update, ({ caller, params, body }) =>
    rules.changeForm(services, caller.workspaceId, params.id, body),
  )
  mount(app, forms.remove, async ({ caller, params }) => {
    await rules.removeForm(db, caller.workspaceId, params.id)
    return {}
  })
  app.register(async (scope) => mountPublic(scope, services))
}

const isJson = (request: FastifyRequest) => /^application\/json\b/i.test(request.headers['content-type'] ?? '')

async function findForm({ db }: Services, request: FastifyRequest): Promise<FormRow | undefined> {
  const { slug } = request.params as { slug: string }
  return slug.length > MAX_SLUG ? undefined : formBySlug(db, slug)
}

function mountPublic(scope: FastifyInstance, services: Services): void {
  const countView = countViews(scope, services)
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    (_request, body, done) => done(null, body),
  )
  const route = { exposeHeadRoute: false }
  scope.route({
    ...route,
    url: '/f/:slug',
    method: ['GET', 'HEAD'],
    handler: async (request, reply) => {
      const form = await findForm(services, request)
      if (!form) return sendLost(reply)
      if (request.method === 'GET') countView(form.id)
      return sendForm(services, reply, form)
    },
  })
  scope.route({
    ...route,
    url: '/f/:slug/done',
    method: ['GET', 'HEAD'],
    handler: async (request, reply) => {
      const form = await findForm(services, request)
      if (!form) return sendLost(reply)
      const { isDouble } = await findLists(services.db, form.workspaceId, form.listIds)
      return send(reply, renderDone(form, isDouble || form.optin === 'double'))
    },
  })
  scope.route({
    ...route,
    url: '/f/:slug/embed.js',
    method: ['GET', 'HEAD'],
    handler: async (request, reply) => {
      const form = await findForm(services, request)
      if (!form) return sendLost(reply)
      return reply
        .header('cache-control', `public, max-age=${SCRIPT_SECONDS}`)
        .header('cross-origin-resource-policy', 'cross-origin')
        .type('text/javascript; charset=utf-8')
        .send(buildScript(services.config.publicUrl, form, await findInputs(services.db, form)))
    },
  })
  mountChallenges(scope, services)
  scope.route({
    ...route,
    url: '/f/:slug',
    method: 'OPTIONS',
    handler: async (request, reply) => {
      const form = await findForm(services, request)
      if (form && allowOrigin(request, reply, form))
        reply
          .header('access-control-allow-methods', 'POST')
          .header('access-control-allow-headers', 'content-type')
          .header('access-control-max-age', '600')
      return reply.code(204).send()
    },
  })
  scope.route({
    ...route,
    url: '/f/:slug',
    method: 'POST',
    bodyLimit: BODY_LIMIT,
    handler: (request, reply) => receive(services, request, reply),
  })
}

/** When a form was opened, signed, and the challenge of one that asks for a proof of work; and the script that solves it. */
function mountChallenges(scope: FastifyInstance, services: Services): void {
  const { secretKey } = services.config
  const waitOf = limitChallenges()
  scope.route({
    exposeHeadRoute: false,
    url: '/f/:slug/challenge',
    method: 'GET',
    handler: async (request, reply) => {
      const { slug } = request.params as { slug: string }
      const wait = waitOf(slug.slice(0, MAX_SLUG), request.ip)
      if (wait > 0) throw tooMany('Too many challenges were requested. Wait a while, then try again.', wait)
      const form = await findForm(services, request)
      if (!form) throw notFound('Form')
      allowOrigin(request, reply, form)
      const challenge = form.proofOfWork ? await makeChallenge(secretKey, form) : {}
      return reply.header('cache-control', 'no-store').send({ ...challenge, opened: writeOpened(secretKey, form) })
    },
  })
  scope.route({
    exposeHeadRoute: false,
    url: PAGE_SCRIPT_PATH.replace(/\?.*/, ''),
    method: ['GET', 'HEAD'],
    handler: (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type('text/javascript; charset=utf-8')
        .send(PAGE_SCRIPT),
  })
}

/** Lets the scripts of exactly the form's origins read the answer. Returns whether this is one. */
function allowOrigin(request: FastifyRequest, reply: FastifyReply, form: FormRow): boolean {
  reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (!origin || !form.allowedOrigins.includes(origin)) return false
  reply.header('access-control-allow-origin', origin)
  return true
}

async function receive(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = await findForm(services, request)
  if (!form) {
    if (isJson(request)) throw notFound('Form')
    return sendLost(reply)
  }
  allowOrigin(request, reply, form)
  reply.header('cache-control', 'no-store')
  let values: Record<string, string> = {}
  try {
    values = readValues(request.body)
    const { isDouble } = await submitForm(services, form, values, request)
    if (!isJson(request))
      return reply
        .code(303)
        .header('location', form.redirectUrl ?? `/f/${form.slug}/done`)
        .send()
    const message = isDouble
      ? 'Check your inbox: we emailed you a link to confirm your subscription.'
      : 'You are subscribed.'
    return reply.send({ message: form.successText || message, confirm: isDouble, redirectUrl: form.redirectUrl })
  } catch (error) {
    if (isJson(request) || !(error instanceof Refusal)) throw error
    if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
    const field = error.details?.[0]?.field
    const isShown = field === 'email' || form.fields.some(({ name }) => name === field)
    return sendForm(services, reply, form, {
      status: error.status,
      values,
      message: error.message,
      ...(isShown && { field }),
    })
  }
}

async function sendForm(services: Services, reply: FastifyReply, form: FormRow, retry?: Retry): Promise<FastifyReply> {
  const { db, config } = services
  const owner = await db
    .selectFrom('workspaces')
    .where('id', '=', form.workspaceId)
    .select(['company', 'name'])
    .executeTakeFirst()
  // HTML of another site was sent, and what it lacks follows on this page.
  const isPlain = retry !== undefined && !retry.values.opened
  const shown = {
    company: owner?.company || owner?.name || '',
    inputs: await findInputs(db, form),
    word:
      retry?.values.opened && retry.status === 400
        ? escapeWord(retry.values.opened)
        : writeOpened(config.secretKey, form, isPlain),
  }
  return send(reply, renderForm(form, shown, retry))
}

/** The same word as before where it can be one of ours: a form that was wrong need not be opened again. */
const escapeWord = (word: string) => word.replace(/[^\w.-]/g, '').slice(0, 200)
