import { escapeUTF8 } from 'entities'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { roomForContacts } from '#server/features/billing/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import { mountLinkPage, sendLost, sendPage } from '#server/platform/http/pages/small-pages.ts'
import type { Services } from '#server/services.ts'
import { askToJoin } from './asking.ts'
import { LINK_DAYS, readLink } from './confirmation-link.ts'
import * as store from './confirmations-store.ts'
import { confirm, declineJoining, findJoining, type Joining } from './joining-store.ts'
import { readVisitor } from './visitor.ts'

type PageServices = Pick<Services, 'db' | 'config'>

/** What the link of a request leads to: the request, or only that it is gone or too old. */
async function follow({ db, config }: PageServices, request: FastifyRequest) {
  const link = readLink(config, (request.params as { token: string }).token)
  if (!link) return undefined
  const row = await store.findConfirmation(db, link.workspaceId, link.id)
  if (row) return row
  return Date.now() / 1000 - link.at > LINK_DAYS * 86_400 ? 'expired' : undefined
}

/** Whether a plan has room for one more contact. */
export const hasRoom = async (db: Db, workspaceId: string): Promise<boolean> => {
  const room = await roomForContacts(db, workspaceId)
  return room === null || room > 0
}

/** The page behind the link of a confirmation email. GET and HEAD change nothing; the button confirms. */
export function mountConfirmations(app: FastifyInstance, services: PageServices): void {
  const { db, config } = services
  mountLinkPage(app, '/c/:token', {
    show: async (request, reply) => {
      const row = await follow(services, request)
      if (row === undefined) return sendLost(reply)
      if (row === 'expired') return sendExpired(reply)
      return sendStanding(reply, row, await findJoining(db, config, row))
    },
    act: (request, reply) => act(services, request, reply),
  })
}

async function act(services: PageServices, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { db, config } = services
  const row = await follow(services, request)
  if (row === undefined) return sendLost(reply)
  if (row === 'expired') return sendExpired(reply)
  const button = readButton(request.body)
  const visitor = readVisitor(request)
  if (button === 'decline') {
    const joining = await retryUndone(() => declineJoining(db, config, row))
    if (joining.standing !== 'open') return sendStanding(reply, row, joining)
    return sendPage(
      reply,
      200,
      'You will not be asked again',
      '<p>Thank you for telling us. Your address was not subscribed to anything.</p>',
    )
  }
  if (row.isExpired) {
    const joining = await findJoining(db, config, row)
    if (joining.standing !== 'open' || button !== 'again') return sendStanding(reply, row, joining)
    await askAnew(services, row, visitor)
    return sendPage(
      reply,
      200,
      'Check your inbox',
      `<p>We have emailed you a new link. It works for ${LINK_DAYS} days.</p>`,
    )
  }
  // Another link of the person, opened at the same moment, may be in the way.
  const joining = await retryUndone(() => confirm(db, config, row, visitor, hasRoom))
  if (joining.standing === 'full')
    return sendPage(
      reply,
      503,
      'Subscriptions are closed',
      '<p>Nothing was changed. Please try again in a few days.</p>',
    )
  if (joining.standing === 'open') return sendConfirmed(reply, joining)
  return sendStanding(reply, row, { ...joining, standing: joining.standing })
}

/** A new request in place of one whose link expired, made by the person who followed it. */
async function askAnew(services: PageServices, row: store.ConfirmationRow, visitor: store.Visitor): Promise<void> {
  const { workspaceId, listIds, fields, source, formId, wording, wordingVersion } = row
  const request = { listIds, fields, source, wording, wordingVersion, visitor, ...(formId && { formId }) }
  await askToJoin(services, { ...request, workspaceId }, row.email)
}

/** Which button was pressed; none of the others: the one that confirms. */
function readButton(body: unknown): 'again' | 'decline' | undefined {
  const pressed = new URLSearchParams(Buffer.isBuffer(body) ? body.subarray(0, 1_000).toString('latin1') : '')
  return pressed.get('decline') === '1' ? 'decline' : pressed.get('again') === '1' ? 'again' : undefined
}

const formatLists = ({ lists }: Pick<Joining, 'lists'>) =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(lists.map((name) => `<strong>${escapeUTF8(name)}</strong>`))

const sendExpired = (reply: FastifyReply) =>
  sendPage(
    reply,
    410,
    'This link has expired',
    `<p>Links work for ${LINK_DAYS} days, and nobody used this one. You are not subscribed. To subscribe, fill in the form again where you found it.</p>`,
  )

function sendStanding(reply: FastifyReply, row: store.ConfirmationRow, joining: Joining): FastifyReply {
  if (joining.standing === 'gone') return sendLost(reply)
  const lists = formatLists(joining)
  if (joining.standing === 'confirmed') return sendConfirmed(reply, joining)
  if (joining.standing === 'left')
    return sendPage(
      reply,
      200,
      'You are unsubscribed',
      `<p>You unsubscribed after this link was sent, so it no longer works. To receive ${lists} again, subscribe again where you found it.</p>`,
    )
  if (row.isExpired)
    return sendPage(
      reply,
      410,
      'This link has expired',
      `<p>You are not subscribed to ${lists}. If you still want to receive it, we can email you a new link.</p><form method="post"><input type="hidden" name="again" value="1"><button type="submit">Send a new link</button></form>`,
    )
  const agreed = row.source === 'form' && row.wording ? `<p>${escapeUTF8(row.wording)}</p>` : ''
  return sendPage(
    reply,
    200,
    'Confirm your subscription',
    `<p>You will receive ${lists} once you confirm. You can unsubscribe at any time.</p>${agreed}<form method="post"><button type="submit">Confirm subscription</button></form><form method="post"><input type="hidden" name="decline" value="1"><button class="quiet" type="submit">I did not ask for this</button></form>`,
  )
}

const sendConfirmed = (reply: FastifyReply, joining: Pick<Joining, 'lists'>): FastifyReply =>
  sendPage(reply, 200, 'You are subscribed', `<p>Thank you. You will receive ${formatLists(joining)} by email.</p>`)
