import { escapeUTF8 } from 'entities'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { roomForContacts } from '#server/features/billing/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import { mountLinkPage, sendLost, sendPage } from '#server/platform/http/pages/small-pages.ts'
import type { Services } from '#server/services.ts'
import { chooseLanguage, fillHtml, findTexts } from '../preferences/languages/languages.ts'
import type { PageTexts } from '../preferences/languages/texts.ts'
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
      const page = await preparePage(db, request, reply, row)
      if (row === 'expired') return sendExpired(page)
      return sendStanding(page, row, await findJoining(db, config, row))
    },
    act: (request, reply) => act(services, request, reply),
  })
}

/** Where a page goes, and the language of its reader with its texts. */
interface ReaderPage {
  reply: FastifyReply
  language: string
  texts: PageTexts['confirm']
}

async function preparePage(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  row: store.ConfirmationRow | 'expired',
): Promise<ReaderPage> {
  const locale = row === 'expired' ? null : await store.findLocale(db, row)
  const language = chooseLanguage(locale, request.headers['accept-language'])
  return { reply, language, texts: findTexts(language).confirm }
}

async function act(services: PageServices, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { db, config } = services
  const row = await follow(services, request)
  if (row === undefined) return sendLost(reply)
  const page = await preparePage(db, request, reply, row)
  if (row === 'expired') return sendExpired(page)
  const button = readButton(request.body)
  const visitor = readVisitor(request)
  if (button === 'decline') {
    const joining = await retryUndone(() => declineJoining(db, config, row))
    return joining.standing === 'open' ? sendText(page, page.texts.declined) : sendStanding(page, row, joining)
  }
  if (row.isExpired) {
    const joining = await findJoining(db, config, row)
    if (joining.standing !== 'open' || button !== 'again') return sendStanding(page, row, joining)
    await askAnew(services, row, visitor)
    return sendText(page, page.texts.sent)
  }
  // Another link of the person, opened at the same moment, may be in the way.
  const joining = await retryUndone(() => confirm(db, config, row, visitor, hasRoom))
  if (joining.standing === 'full') return sendText(page, page.texts.full, { status: 503 })
  if (joining.standing === 'open') return sendConfirmed(page, joining)
  return sendStanding(page, row, { ...joining, standing: joining.standing })
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

/** A page of one text; `lists` are HTML, and so is `after`. */
function sendText(
  { reply, language }: ReaderPage,
  { title, text }: { title: string; text: string },
  { status = 200, lists = '', after = '' } = {},
): FastifyReply {
  const body = `<p>${fillHtml(text, { lists, days: String(LINK_DAYS) })}</p>${after}`
  return sendPage(reply, status, title, body, { language })
}

const formatLists = ({ language }: ReaderPage, { lists }: Pick<Joining, 'lists'>) =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(
    lists.map((name) => `<strong>${escapeUTF8(name)}</strong>`),
  )

const sendExpired = (page: ReaderPage) => sendText(page, page.texts.expired, { status: 410 })

function sendStanding(page: ReaderPage, row: store.ConfirmationRow, joining: Joining): FastifyReply {
  const { reply, texts } = page
  if (joining.standing === 'gone') return sendLost(reply)
  const lists = formatLists(page, joining)
  if (joining.standing === 'confirmed') return sendConfirmed(page, joining)
  if (joining.standing === 'left') return sendText(page, texts.left, { lists })
  if (row.isExpired) {
    const { text, button } = texts.again
    const after = `<form method="post"><input type="hidden" name="again" value="1"><button type="submit">${escapeUTF8(button)}</button></form>`
    return sendText(page, { title: texts.expired.title, text }, { status: 410, lists, after })
  }
  // The wording is the evidence, as the person read it in the form.
  const agreed = row.source === 'form' && row.wording ? `<p>${escapeUTF8(row.wording)}</p>` : ''
  const after = `${agreed}<form method="post"><button type="submit">${escapeUTF8(texts.button)}</button></form><form method="post"><input type="hidden" name="decline" value="1"><button class="quiet" type="submit">${escapeUTF8(texts.decline)}</button></form>`
  return sendText(page, texts, { lists, after })
}

const sendConfirmed = (page: ReaderPage, joining: Pick<Joining, 'lists'>): FastifyReply =>
  sendText(page, page.texts.done, { lists: formatLists(page, joining) })
