import { escapeUTF8 } from 'entities'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tokens } from '#server/engine/index.ts'
import { findLinkedContact, leaveCampaignLists, unsubscribe } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sendLost, sendPage } from '#server/platform/http/pages/small-pages.ts'
import { discreet, send } from '#server/platform/http/responses.ts'
import { toNetwork } from '#server/platform/network.ts'
import { CLASSIFIER } from './classify.ts'
import { readToken, readUserAgent, type Tracking } from './engagement.ts'
import * as store from './readers-store.ts'

type UnsubscribeChoice = 'all' | 'list'

/** How the address of a message is compared (local part without case, domain in ASCII), also when its contact is gone. */
function toSuppressionKey(subscription: store.Subscription): string {
  if (subscription.addressKey) return subscription.addressKey
  const address = subscription.address.trim()
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return `${address.slice(0, at)}@${URL.parse(`http://${domain}`)?.hostname ?? domain}`.toLowerCase()
}

/** Whether nothing is sent any more: neither to where the message went, nor to the address its contact has since. */
export async function hasEnded(db: Db, subscription: store.Subscription): Promise<boolean> {
  const { workspaceId } = subscription
  if (!(await store.isStopped(db, workspaceId, toSuppressionKey(subscription)))) return false
  const moved = (await findLinkedContact(db, workspaceId, subscription))?.moved
  return !moved || store.isStopped(db, workspaceId, moved.key)
}

/** `robin@example.com` as `r•••@example.com`: enough to know one's own, too little for whom the mail was forwarded to. */
export function masked(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? '' : `${[...address][0]}•••${address.slice(at)}`
}

/**
 * Ends it, in one transaction and before anybody is answered: a suppression for the whole workspace (or only the lists
 * of this mail, if it came by lists), and the event. Of a contact whose address was changed since both addresses are suppressed:
 * the person is done with the sender. Doing it again changes nothing. undefined: the message is not known.
 */
export async function endSubscription(
  db: Db,
  messageId: string,
  choice: UnsubscribeChoice,
  event: Parameters<typeof store.noteUnsubscribe>[2],
): Promise<store.Subscription | undefined> {
  return db.transaction().execute(async (db) => {
    const subscription = await store.findUnsubscribeTarget(db, messageId, true)
    if (!subscription) return undefined
    if ((choice === 'all' || !subscription.hasLists) && subscription.address.includes('@')) {
      const { workspaceId, campaignId, address } = subscription
      await unsubscribe(db, workspaceId, { address, key: toSuppressionKey(subscription), campaignId })
      const moved = (await findLinkedContact(db, workspaceId, subscription))?.moved
      if (moved) await unsubscribe(db, workspaceId, { ...moved, campaignId })
    }
    await leaveCampaignLists(db, subscription)
    await store.noteUnsubscribe(db, messageId, event)
    return subscription
  })
}

const AGAIN =
  '<p><small>Changed your mind? Only you can undo this: subscribe again with the sender, or contact them.</small></p>'
const formatSender = ({ sender }: store.Subscription) =>
  sender ? `<strong>${escapeUTF8(sender)}</strong>` : 'this sender'
const formatAddress = ({ address }: store.Subscription) =>
  masked(address) ? `<strong>${escapeUTF8(masked(address))}</strong>` : 'your address'

/** The page on which more can be chosen than to stop. */
const formatPreferences = (tokens: Tokens, { messageId }: store.Subscription) =>
  `<p><small><a href="/p/${tokens.sign('preferences', messageId)}">Manage preferences</a></small></p>`

function sendQuestion(reply: FastifyReply, tokens: Tokens, subscription: store.Subscription) {
  const choices = subscription.hasLists
    ? `<fieldset><legend>What should stop?</legend>
      <label><input type="radio" name="choice" value="all" checked><span>All email from ${formatSender(subscription)}</span></label>
      <label><input type="radio" name="choice" value="list"><span>Only the mailing list of this message</span></label></fieldset>`
    : '<input type="hidden" name="choice" value="all">'
  return sendPage(
    reply,
    200,
    'Unsubscribe',
    `<p>Email from ${formatSender(subscription)} to ${formatAddress(subscription)}. Nothing has changed yet.</p><form method="post">${choices}<button type="submit">Unsubscribe</button></form><br>${formatPreferences(tokens, subscription)}`,
  )
}

function sendDone(reply: FastifyReply, tokens: Tokens, subscription: store.Subscription, choice: UnsubscribeChoice) {
  const what =
    choice === 'all'
      ? `${formatSender(subscription)} will no longer email ${formatAddress(subscription)}.`
      : `${formatAddress(subscription)} is off the mailing list of that message. Other email from ${formatSender(subscription)} may still arrive.`
  return sendPage(
    reply,
    200,
    'You are unsubscribed',
    `<p>${what} This takes effect immediately. A message already on its way may still arrive.</p>${AGAIN}${formatPreferences(tokens, subscription)}`,
  )
}

/** The token is ours and the message is not there any more: only a deleted account takes its messages along, and sends nothing. */
const sendGone = (reply: FastifyReply) =>
  sendPage(
    reply,
    200,
    'You will get no more emails',
    '<p>The sender of that message has closed their account, and all their contacts are deleted. You will get no more emails from them.</p>',
  )

/** Test mails are sent with recipient 0: there is nobody to unsubscribe. */
const TEST = '0'
const sendTest = (reply: FastifyReply) =>
  sendPage(
    reply,
    200,
    'This was a test',
    '<p>The message was a test, so there is nothing to unsubscribe from. In a real one, this page asks what should stop.</p>',
  )

/** The form field `choice` of our own page; a mail program's one-click request (RFC 8058) has none, in either encoding. */
function choiceIn(body: unknown): UnsubscribeChoice | undefined {
  const choice = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('latin1') : '').get('choice')
  return choice === 'all' || choice === 'list' ? choice : undefined
}

const unsubscribed = {
  status: 200,
  headers: { ...discreet, 'content-type': 'text/plain; charset=utf-8' },
  body: 'Unsubscribed.\n',
  encoding: 'utf8',
} as const
const readLinkToken = (request: FastifyRequest) => (request.params as { token: string }).token

async function show({ db, tokens }: Tracking, request: FastifyRequest, reply: FastifyReply) {
  const token = readToken(tokens, readLinkToken(request), 'unsubscribe')
  if (token?.recipientId === TEST) return sendTest(reply)
  const subscription = token && (await store.findUnsubscribeTarget(db, token.recipientId))
  if (!token) return sendLost(reply)
  if (!subscription) return sendGone(reply)
  return (await hasEnded(db, subscription))
    ? sendDone(reply, tokens, subscription, 'all')
    : sendQuestion(reply, tokens, subscription)
}

async function act({ db, tokens }: Tracking, request: FastifyRequest, reply: FastifyReply) {
  const token = readToken(tokens, readLinkToken(request), 'unsubscribe')
  const choice = choiceIn(request.body)
  if (token?.recipientId === TEST) return sendTest(reply)
  const subscription =
    token &&
    (await endSubscription(db, token.recipientId, choice ?? 'all', {
      network: toNetwork(request.ip),
      userAgent: readUserAgent(request.headers),
      reason: choice ? 'page' : 'one_click',
      classifier: CLASSIFIER,
    }))
  if (!token) return sendLost(reply)
  if (!subscription) return choice ? sendGone(reply) : send(reply, unsubscribed)
  return choice
    ? sendDone(reply, tokens, subscription, subscription.hasLists ? choice : 'all')
    : send(reply, unsubscribed)
}

/**
 * The unsubscribe page and one-click (RFC 8058). GET and HEAD change nothing. A POST with a token of ours always ends the
 * subscription, whatever its body, cookie or origin: its address is the proof.
 */
export function mountUnsubscribe(app: FastifyInstance, tracking: Tracking): void {
  const route = { url: '/u/:token', exposeHeadRoute: false }
  app.route({ ...route, method: ['GET', 'HEAD'], handler: (request, reply) => show(tracking, request, reply) })
  app.route({ ...route, method: 'POST', handler: (request, reply) => act(tracking, request, reply) })
}
