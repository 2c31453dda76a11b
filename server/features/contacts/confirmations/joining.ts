import { escapeUTF8 } from 'entities'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { roomForContacts } from '#server/features/billing/index.ts'
import { hashToken } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { mountLinkPage, sendLost, sendPage } from '#server/platform/http/pages/small-pages.ts'
import { job } from '#server/platform/queue.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { normalizeEmail } from '../address.ts'
import { badAddress } from '../contacts.ts'
import { type ConfirmationLink, LINK_SECONDS, readLink, writeLink } from './confirmation-link.ts'
import { confirmationMail } from './confirmation-mail.ts'
import * as store from './joining-store.ts'

const MAILS_AN_HOUR = { list: 3, address: 5 }
const HOUR = 3_600

/** The token holds all of it: neither the queue nor the log knows an address. */
const confirmationJob = job('contacts.confirmation', z.object({ token: z.string() }), { retries: 8 })

type Asking = Pick<Services, 'config' | 'queue'>

/** Whether an address may get another confirmation email this hour, from whomever; counts it. */
export async function mayAsk(db: Db, { secretKey }: Services['config'], key: string): Promise<boolean> {
  // Hashed: a limit is no reason to keep an address.
  return (await throttle(db, `confirmation:${hashToken(secretKey + key)}`, MAILS_AN_HOUR.address, HOUR)).ok
}

/** Queues a confirmation email with the transaction it belongs to. */
export async function queueConfirmation(
  { config, queue }: Asking,
  db: Db,
  given: Omit<ConfirmationLink, 'at'>,
): Promise<void> {
  const token = writeLink(config, { ...given, at: await store.readClock(db) })
  await queue.enqueue(confirmationJob, { token }, { db })
}

/**
 * Somebody asks to be on a double opt-in list and gets an email with a link; nothing about them is stored until they
 * confirm. Nothing tells the asker whether the address was known. A person who is confirmed already, or has had three of these
 * emails this hour, gets none. Throws Refusal 400 naming `email`.
 */
export async function askToJoin(services: Services, list: store.AskedList, address: string): Promise<void> {
  const read = normalizeEmail(address)
  if ('reason' in read) throw badAddress('email', read.reason)
  await services.db.transaction().execute((db) => ask(services, db, list.id, read, true))
}

async function ask(
  services: Asking,
  db: Db,
  listId: string,
  { address, key }: { address: string; key: string },
  joins: boolean,
): Promise<void> {
  const link = { listId, email: address, joins }
  const place = await store.findPlace(db, services.config, { ...link, at: await store.readClock(db) }, key)
  if (place?.standing !== 'open') return
  const limit = `join:${listId}:${hashToken(services.config.secretKey + key)}`
  if (!(await throttle(db, limit, MAILS_AN_HOUR.list, HOUR)).ok || !(await mayAsk(db, services.config, key))) return
  await queueConfirmation(services, db, link)
}

const toAddressKey = (link: ConfirmationLink): string => {
  const read = normalizeEmail(link.email)
  return 'key' in read ? read.key : ''
}

export async function handleConfirmations({ db, queue, mailer, config }: Services): Promise<void> {
  await queue.handle(confirmationJob, async ({ token }) => {
    const link = readLink(config, token)
    const place = link && (await store.findPlace(db, config, link, toAddressKey(link)))
    // Confirmed, unsubscribed or removed since it was queued.
    if (place?.standing !== 'open') return
    const names = { list: place.name, sender: place.sender, joins: link?.joins ?? false }
    await mailer.send(confirmationMail(link?.email ?? '', names, `${config.publicUrl}/confirm/${token}`))
  })
}

interface Followed {
  link: ConfirmationLink
  key: string
  expired: boolean
}

/** The page behind the link of the email. */
export function mountConfirmations(app: FastifyInstance, services: Services): void {
  const { db, config } = services
  const follow = async (request: FastifyRequest): Promise<Followed | undefined> => {
    const link = readLink(config, (request.params as { token: string }).token)
    if (!link) return undefined
    return { link, key: toAddressKey(link), expired: (await store.readClock(db)) - link.at > LINK_SECONDS }
  }
  mountLinkPage(app, '/confirm/:token', {
    show: async (request, reply) => {
      const found = await follow(request)
      return sendStanding(reply, found, found && (await store.findPlace(db, config, found.link, found.key)))
    },
    act: (request, reply) => act(services, request, reply, follow),
  })
}

async function act(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  follow: (request: FastifyRequest) => Promise<Followed | undefined>,
) {
  const { db, config } = services
  const found = await follow(request)
  if (!found) return sendLost(reply)
  const { link, key, expired } = found
  if (expired) {
    const place = await store.findPlace(db, config, link, key)
    if (place?.standing !== 'open' || !wantsAnother(request.body)) return sendStanding(reply, found, place)
    await db.transaction().execute((db) => ask(services, db, link.listId, { address: link.email, key }, link.joins))
    return sendPage(reply, 200, 'Check your inbox', '<p>We have emailed you a new link. It works for 7 days.</p>')
  }
  const place = await store.confirmPlace(db, config, link, key, async (db, workspaceId) => {
    const room = await roomForContacts(db, workspaceId)
    return room === null || room > 0
  })
  if (place?.standing === 'full')
    return sendPage(
      reply,
      503,
      'Subscriptions are closed',
      '<p>Nothing was changed. Please try again in a few days.</p>',
    )
  if (place?.standing === 'open') return sendConfirmed(reply, place.name)
  return sendStanding(reply, found, place as store.JoinPlace | undefined)
}

const wantsAnother = (body: unknown) =>
  new URLSearchParams(Buffer.isBuffer(body) ? body.toString('latin1') : '').get('again') === '1'

function sendStanding(reply: FastifyReply, found: Followed | undefined, place: store.JoinPlace | undefined) {
  if (!found || !place || place.standing === 'gone') return sendLost(reply)
  const list = `<strong>${escapeUTF8(place.name)}</strong>`
  if (place.standing === 'confirmed') return sendConfirmed(reply, place.name)
  if (place.standing === 'left')
    return sendPage(
      reply,
      200,
      'You are unsubscribed',
      `<p>You unsubscribed after this link was sent, so it no longer works. To receive ${list} again, subscribe again where you found it.</p>`,
    )
  if (found.expired)
    return sendPage(
      reply,
      410,
      'This link has expired',
      `<p>You are not subscribed to ${list}. If you still want to receive it, we can email you a new link.</p><form method="post"><input type="hidden" name="again" value="1"><button type="submit">Send a new link</button></form>`,
    )
  return sendPage(
    reply,
    200,
    'Confirm your subscription',
    `<p>You will receive ${list} once you confirm. You can unsubscribe at any time.</p><form method="post"><button type="submit">Confirm subscription</button></form>`,
  )
}

const sendConfirmed = (reply: FastifyReply, list: string) =>
  sendPage(
    reply,
    200,
    'You are subscribed',
    `<p>Thank you. You will receive <strong>${escapeUTF8(list)}</strong> by email.</p>`,
  )
