import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { escapeHtml, sendLost, sendPage } from '#server/features/tracking/index.ts'
import { seal, unseal } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { job } from '#server/platform/queue.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { normaliseEmail } from './address.ts'
import { badAddress } from './contacts.ts'
import * as store from './store.ts'

const PURPOSE = 'confirm a subscription'
const LETTERS_AN_HOUR = 3

const Confirmation = z.object({ to: z.string(), list: z.string(), token: z.string() })
const confirmationJob = job('contacts.confirmation', Confirmation, { retries: 8 })

/**
 * Somebody asks to be on a double opt-in list: he is noted as pending and gets a letter with a link. Nothing says to the
 * asker whether the address was known. Whoever is confirmed already, or has had three letters this hour, gets none.
 */
export async function askToJoin(
  services: Services,
  list: { id: string; workspaceId: string; name: string },
  address: string,
  source: string,
): Promise<void> {
  const read = normaliseEmail(address)
  if ('reason' in read) throw badAddress('email', read.reason)
  await services.db.transaction().execute(async (db) => {
    const contactId = await contactFor(db, list.workspaceId, { email: read.address, emailKey: read.key }, source)
    if ((await store.askAgain(db, list.workspaceId, list.id, contactId)) === 'confirmed') return
    const { ok } = await throttle(db, `join:${list.id}:${read.key}`, LETTERS_AN_HOUR, 3_600)
    if (!ok) return
    const token = seal(services.config.secretKey, PURPOSE, `${list.id}.${contactId}`)
    await services.queue.enqueue(confirmationJob, { to: read.address, list: list.name, token }, { db })
  })
}

async function contactFor(
  db: Db,
  workspaceId: string,
  who: { email: string; emailKey: string },
  source: string,
): Promise<string> {
  const known = await store.findContact(db, workspaceId, { emailKey: who.emailKey })
  const made = known ?? (await store.insertContact(db, workspaceId, who, source))
  // Taken between the two: it is there now.
  return made ?? ((await store.findContact(db, workspaceId, { emailKey: who.emailKey })) as string)
}

export async function handleConfirmations({ queue, mailer, config }: Services): Promise<void> {
  await queue.handle(confirmationJob, async ({ to, list, token }) => {
    await mailer.send({
      to,
      subject: `Please confirm: ${list}`,
      text: `Hello,\n\nsomebody, we hope you, asked to get "${list}" at this address. If it was you, please confirm:\n\n${config.publicUrl}/confirm/${token}\n\nIf it was not, do nothing: without the link nothing is sent.\n`,
    })
  })
}

/** The page behind the link of the letter. Only its button (POST) confirms: link scanners follow every link. */
export function mountConfirmations(app: FastifyInstance, { db, config }: Pick<Services, 'db' | 'config'>): void {
  const read = (request: FastifyRequest) => {
    const text = unseal(config.secretKey, PURPOSE, (request.params as { token: string }).token)
    const [listId, contactId] = text?.split('.') ?? []
    return listId && contactId ? store.membership(db, listId, contactId) : undefined
  }
  const route = { url: '/confirm/:token', exposeHeadRoute: false }
  app.register(async (scope) => {
    // The button sends a form; whatever a mail program sends instead is taken as the same.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.route({
      ...route,
      method: ['GET', 'HEAD'],
      handler: async (request, reply) => {
        const found = await read(request)
        if (!found) return sendLost(reply)
        if (found.status === 'confirmed') return sendConfirmed(reply, found.list)
        return sendPage(
          reply,
          200,
          'Confirm your subscription',
          `<p>You get <strong>${escapeHtml(found.list)}</strong> once you confirm. You can unsubscribe at any time.</p><form method="post"><button type="submit">Yes, send it to me</button></form>`,
        )
      },
    })
    scope.route({
      ...route,
      method: 'POST',
      handler: async (request, reply) => {
        const found = await read(request)
        if (!found) return sendLost(reply)
        await store.confirmMember(db, found)
        return sendConfirmed(reply, found.list)
      },
    })
  })
}

const sendConfirmed = (reply: FastifyReply, list: string) =>
  sendPage(
    reply,
    200,
    'You are subscribed',
    `<p>Thank you. <strong>${escapeHtml(list)}</strong> will come to you by mail.</p>`,
  )
