import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  askByEmail,
  changePreferences,
  chooseLanguage,
  eraseContact,
  exportContact,
  findTexts,
  insertChanges,
  type Preferences,
  type PreferenceTarget,
  readVisitor,
  showPreferences,
  type Visitor,
} from '#server/features/contacts/index.ts'
import { findBrand } from '#server/features/templates/index.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import { mountLinkPage, sendLost } from '#server/platform/http/pages/small-pages.ts'
import { notFound, Refusal, tooMany } from '#server/platform/http/refusal.ts'
import { discreet } from '#server/platform/http/responses.ts'
import { toNetwork } from '#server/platform/network.ts'
import { hashVisitor, throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { CLASSIFIER } from '../classify.ts'
import type { Tracking } from '../engagement.ts'
import * as store from '../readers-store.ts'
import { endSubscription, hasEnded } from '../unsubscribe.ts'
import { isJson, type PreferenceBody, readBody } from './body.ts'
import { type Found, findTarget, isLinked, type Linked, toReader, toTarget } from './found.ts'
import {
  NOTICES,
  type Notice,
  type PageFrame,
  sendMoved,
  sendPreferences,
  sendQuestion,
  sendRemoved,
  sendText,
} from './page.ts'

const HOUR = 3_600
/** Changes in an hour: of one contact, and of one visitor whatever the contacts. */
const AN_HOUR = { contact: 60, visitor: 120 }

/**
 * The preference page behind the link of an email, and the links by which people get their data or are erased. GET and HEAD
 * change nothing.
 */
export function mountPreferences(app: FastifyInstance, services: Services, tracking: Tracking): void {
  const page = new PreferencePage(services, tracking)
  mountLinkPage(app, '/p/:token', {
    show: (request, reply) => page.show(request, reply),
    act: (request, reply) => page.act(request, reply),
  })
}

const readLinkToken = (request: FastifyRequest) => (request.params as { token: string }).token

/** Shows the page again after a form of it was posted. */
const sendBack = (request: FastifyRequest, reply: FastifyReply, notice?: Notice) =>
  reply
    .code(303)
    .header('location', `/p/${readLinkToken(request)}${notice ? `?notice=${notice}` : ''}`)
    .send()

class PreferencePage {
  readonly #services: Services
  readonly #tracking: Tracking

  constructor(services: Services, tracking: Tracking) {
    this.#services = services
    this.#tracking = tracking
  }

  async show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const found = await findTarget(this.#services, this.#tracking.tokens, readLinkToken(request))
    if (!isLinked(found)) return this.#sendEnd(request, reply, found.kind)
    const frame = await this.#frame(request, found)
    if (found.kind === 'request') return sendQuestion(reply, found.request.kind, frame)
    if (found.kind === 'moved') return this.#sendMoved(reply, found.subscription, frame)
    const notice = NOTICES.find((one) => one === (request.query as { notice?: unknown }).notice)
    if (found.kind === 'removed') return sendRemoved(reply, { email: found.person.email, notice }, frame)
    const email = (await store.findSentEmail(this.#services.db, found.messageId)) ?? null
    return sendPreferences(reply, { preferences: found.preferences, email, notice }, frame)
  }

  async act(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers(discreet)
    const found = await findTarget(this.#services, this.#tracking.tokens, readLinkToken(request))
    if (!isLinked(found)) {
      if (isJson(request)) throw notFound('Contact')
      return this.#sendEnd(request, reply, found.kind)
    }
    try {
      const { workspaceId, contactId } = toTarget(found)
      await this.#limit(request, workspaceId, contactId)
      if (found.kind === 'request') return await this.#carryOut(request, reply, found.request)
      const body = readBody(request)
      if (found.kind === 'removed') return await this.#eraseRemoved(request, reply, found, body)
      return found.kind === 'moved'
        ? await this.#endMoved(request, reply, found.subscription, body)
        : await this.#change(request, reply, found, body)
    } catch (error) {
      if (isJson(request) || !(error instanceof Refusal)) throw error
      if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
      const frame = await this.#frame(request, found)
      const { title, tooMany } = findTexts(frame.language)
      return sendText(reply, error.status, { title, text: error.status === 429 ? tooMany : error.message }, frame)
    }
  }

  #sendEnd(request: FastifyRequest, reply: FastifyReply, kind: 'lost' | 'test' | 'gone' | 'expired'): FastifyReply {
    if (kind === 'lost') return sendLost(reply)
    const language = chooseLanguage(null, request.headers['accept-language'])
    return sendText(reply, kind === 'expired' ? 410 : 200, findTexts(language)[kind], { language, sender: '' })
  }

  async #frame(request: FastifyRequest, found: Linked): Promise<PageFrame> {
    const { company: sender, locale } = toReader(found)
    const { workspaceId } = toTarget(found)
    const { colors } = await findBrand(this.#services.db, workspaceId)
    return { language: chooseLanguage(locale, request.headers['accept-language']), sender, accent: colors[0] }
  }

  /** The page for who has an email to an address that the contact had: all they can do is to end it. */
  async #sendMoved(reply: FastifyReply, subscription: store.Subscription, frame: PageFrame): Promise<FastifyReply> {
    const isStopped = await hasEnded(this.#services.db, subscription)
    return sendMoved(reply, { address: subscription.address, isStopped }, frame)
  }

  async #endMoved(
    request: FastifyRequest,
    reply: FastifyReply,
    { messageId }: store.Subscription,
    { action }: PreferenceBody,
  ): Promise<FastifyReply> {
    if (action !== 'unsubscribe')
      throw new Refusal(
        409,
        'address_changed',
        'The sender has another address for this contact now. Use the link of an email to that address.',
      )
    const { ip, userAgent } = readVisitor(request)
    const event = { network: toNetwork(ip), userAgent, reason: 'page' as const, classifier: CLASSIFIER }
    await retryUndone(() => endSubscription(this.#services.db, messageId, 'all', event))
    return isJson(request) ? reply.send({ result: 'unsubscribed' }) : sendBack(request, reply)
  }

  /** Somebody who was removed and may still be put back gets the link by which they are erased. */
  async #eraseRemoved(
    request: FastifyRequest,
    reply: FastifyReply,
    { target, person }: Extract<Found, { kind: 'removed' }>,
    { action }: PreferenceBody,
  ): Promise<FastifyReply> {
    if (action !== 'erase') throw notFound('Contact')
    await this.#ask(request, target, person, { kind: 'erase', visitor: readVisitor(request) })
    return isJson(request) ? reply.send({ result: 'linkSent' }) : sendBack(request, reply, 'linkSent')
  }

  /** Throws Refusal 429. */
  async #limit(request: FastifyRequest, workspaceId: string, contactId: string): Promise<void> {
    const { db, config } = this.#services
    const limits = [
      await throttle(db, `preferences:${workspaceId}:${contactId}`, AN_HOUR.contact, HOUR),
      await throttle(db, `preferences:${hashVisitor(config.secretKey, request.ip)}`, AN_HOUR.visitor, HOUR),
    ]
    const wait = Math.max(0, ...limits.map((limit) => (limit.ok ? 0 : limit.wait)))
    if (wait > 0)
      throw tooMany('Preferences were changed many times in the last hour. Wait a while, then try again.', wait)
  }

  async #change(
    request: FastifyRequest,
    reply: FastifyReply,
    found: Extract<Found, { kind: 'contact' }>,
    { action, ...wish }: PreferenceBody,
  ): Promise<FastifyReply> {
    const { db, config } = this.#services
    const { target, preferences } = found
    const visitor = readVisitor(request)
    if (action === 'download' || action === 'erase') {
      await this.#ask(request, target, preferences, { kind: action, visitor })
      return this.#sendChanged(request, reply, found, 'linkSent')
    }
    const ended = await retryUndone(() =>
      db.transaction().execute(async (db) => {
        const subscription = await store.findUnsubscribeTarget(db, found.messageId, true)
        const given = action === 'unsubscribe' ? action : wish
        const ended = await changePreferences(db, config, target, given, visitor)
        if (subscription && ended && (ended.isUnsubscribed || (await store.wentTo(db, subscription, ended.left))))
          await store.noteUnsubscribe(db, found.messageId, {
            network: toNetwork(visitor.ip),
            userAgent: visitor.userAgent,
            reason: 'page',
            classifier: CLASSIFIER,
          })
        return ended
      }),
    )
    if (!ended) throw notFound('Contact')
    return this.#sendChanged(request, reply, found, action === 'unsubscribe' ? 'unsubscribed' : 'saved')
  }

  async #ask(
    request: FastifyRequest,
    target: PreferenceTarget,
    { email, locale }: Pick<Preferences, 'email' | 'locale'>,
    { kind, visitor }: { kind: 'download' | 'erase'; visitor: Visitor },
  ): Promise<void> {
    const language = chooseLanguage(locale, request.headers['accept-language'])
    if (email === null) throw new Refusal(409, 'no_email', findTexts(language).noEmail)
    await this.#services.db
      .transaction()
      .execute((db) => askByEmail(this.#services, db, target, { kind, language, visitor }))
  }

  async #sendChanged(
    request: FastifyRequest,
    reply: FastifyReply,
    { target }: Extract<Found, { kind: 'contact' }>,
    notice: Notice,
  ): Promise<FastifyReply> {
    if (!isJson(request)) return sendBack(request, reply, notice)
    const now = await showPreferences(this.#services.db, target.workspaceId, target.contactId)
    if (!now) throw notFound('Contact')
    const { emails, whatsapp, frequency, pausedUntil, lists } = now
    return reply.send({
      result: notice,
      emails,
      whatsapp,
      frequency,
      pausedUntil: pausedUntil?.toISOString() ?? null,
      lists,
    })
  }

  async #carryOut(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Extract<Found, { kind: 'request' }>['request'],
  ): Promise<FastifyReply> {
    const { db } = this.#services
    const { kind, workspaceId, contactId } = asked
    if (kind === 'erase') {
      const frame = await this.#frame(request, { kind: 'request', request: asked })
      await eraseContact(this.#services, workspaceId, contactId)
      if (isJson(request)) return reply.send({ result: 'erased' })
      const { done, doneText } = findTexts(frame.language).erase
      return sendText(reply, 200, { title: done, text: doneText }, frame)
    }
    const text = await exportContact(db, workspaceId, contactId)
    const target = { contactId, campaignId: null }
    await insertChanges(db, workspaceId, target, readVisitor(request), [{ kind: 'data_read' }])
    return reply
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .type('application/json; charset=utf-8')
      .send(text)
  }
}
