import { escapeUTF8 } from 'entities'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tokens } from '#server/engine/index.ts'
import {
  chooseLanguage,
  fillHtml,
  findLinkedContact,
  findTexts,
  holdLinkedContact,
  leaveCampaignLists,
  type PageTexts,
  unsubscribe,
} from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
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

/** Whether the person asked for no more: for where the message went, and for the address its contact has since. */
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
 * of this mail, if it came by lists and there is a contact on them), and the event. Of a contact whose address was changed since both addresses are suppressed:
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
    const { workspaceId, campaignId, address } = subscription
    const contact = await holdLinkedContact(db, workspaceId, subscription)
    // A contact that was removed leaves no list, but may be put back: its address is suppressed.
    if ((choice === 'all' || !subscription.hasLists || !contact) && address.includes('@')) {
      await unsubscribe(db, workspaceId, { address, key: toSuppressionKey(subscription), campaignId })
      if (contact?.moved) await unsubscribe(db, workspaceId, { ...contact.moved, campaignId })
    }
    await leaveCampaignLists(db, subscription)
    await store.noteUnsubscribe(db, messageId, event)
    return subscription
  })
}

/** Where a page goes, and the language of its reader with its texts. */
interface ReaderPage {
  reply: FastifyReply
  language: string
  texts: PageTexts['leave']
}

/** A page in the language stored with the contact that the message leads to, or else in that of the browser. */
async function preparePage(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  subscription?: store.Subscription,
): Promise<ReaderPage> {
  const contact = subscription && (await findLinkedContact(db, subscription.workspaceId, subscription))
  const language = chooseLanguage(contact?.locale ?? null, request.headers['accept-language'])
  return { reply, language, texts: findTexts(language).leave }
}

const formatValues = ({ sender, address }: store.Subscription) => ({
  sender: `<strong>${escapeUTF8(sender)}</strong>`,
  address: `<strong>${escapeUTF8(masked(address) || '-')}</strong>`,
})

/** The page on which more can be chosen than to stop. */
const formatPreferences = ({ texts }: ReaderPage, tokens: Tokens, { messageId }: store.Subscription) =>
  `<p><small><a href="/p/${tokens.sign('preferences', messageId)}">${escapeUTF8(texts.preferences)}</a></small></p>`

function sendQuestion(page: ReaderPage, tokens: Tokens, subscription: store.Subscription) {
  const { reply, language, texts } = page
  const values = formatValues(subscription)
  const choices = subscription.hasLists
    ? `<fieldset><legend>${escapeUTF8(texts.choice)}</legend>
      <label><input type="radio" name="choice" value="all" checked><span>${fillHtml(texts.all, values)}</span></label>
      <label><input type="radio" name="choice" value="list"><span>${escapeUTF8(texts.list)}</span></label></fieldset>`
    : '<input type="hidden" name="choice" value="all">'
  const body = `<p>${fillHtml(texts.text, values)}</p><form method="post">${choices}<button type="submit">${escapeUTF8(texts.button)}</button></form><br>${formatPreferences(page, tokens, subscription)}`
  return sendPage(reply, 200, texts.title, body, { language })
}

function sendDone(page: ReaderPage, tokens: Tokens, subscription: store.Subscription, choice: UnsubscribeChoice) {
  const { reply, language, texts } = page
  const what = fillHtml(choice === 'all' ? texts.doneAll : texts.doneList, formatValues(subscription))
  const body = `<p>${what} ${escapeUTF8(texts.atOnce)}</p><p><small>${escapeUTF8(texts.again)}</small></p>${formatPreferences(page, tokens, subscription)}`
  return sendPage(reply, 200, texts.done, body, { language })
}

const sendText = ({ reply, language }: ReaderPage, { title, text }: { title: string; text: string }) =>
  sendPage(reply, 200, title, `<p>${escapeUTF8(text)}</p>`, { language })

/** The token is ours and the message is not there any more: only a deleted account takes its messages along, and sends nothing. */
const sendGone = (page: ReaderPage) => sendText(page, page.texts.gone)

/** Test mails are sent with recipient 0: there is nobody to unsubscribe. */
const TEST = '0'
const sendTest = (page: ReaderPage) => sendText(page, page.texts.test)

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
  if (!token) return sendLost(reply)
  if (token.recipientId === TEST) return sendTest(await preparePage(db, request, reply))
  const subscription = await store.findUnsubscribeTarget(db, token.recipientId)
  const page = await preparePage(db, request, reply, subscription)
  if (!subscription) return sendGone(page)
  return (await hasEnded(db, subscription))
    ? sendDone(page, tokens, subscription, 'all')
    : sendQuestion(page, tokens, subscription)
}

async function act({ db, tokens }: Tracking, request: FastifyRequest, reply: FastifyReply) {
  const token = readToken(tokens, readLinkToken(request), 'unsubscribe')
  if (!token) return sendLost(reply)
  const choice = choiceIn(request.body)
  if (token.recipientId === TEST) return sendTest(await preparePage(db, request, reply))
  const event = {
    network: toNetwork(request.ip),
    userAgent: readUserAgent(request.headers),
    reason: choice ? ('page' as const) : ('one_click' as const),
    classifier: CLASSIFIER,
  }
  // A change of many contacts may be waiting for the same rows.
  const subscription = await retryUndone(() => endSubscription(db, token.recipientId, choice ?? 'all', event))
  // A mail program shows no page.
  if (!choice) return send(reply, unsubscribed)
  const page = await preparePage(db, request, reply, subscription)
  return subscription ? sendDone(page, tokens, subscription, subscription.hasLists ? choice : 'all') : sendGone(page)
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
