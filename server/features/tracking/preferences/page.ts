import { escapeUTF8 } from 'entities'
import type { FastifyReply } from 'fastify'
import {
  fillHtml,
  fillText,
  findTexts,
  formatDay,
  type PageTexts,
  type Preferences,
} from '#server/features/contacts/index.ts'
import { type PageLook, sendPage } from '#server/platform/http/pages/small-pages.ts'
import { masked } from '../unsubscribe.ts'

/** What is said at the top after a change. */
export const NOTICES = ['saved', 'unsubscribed', 'linkSent'] as const
export type Notice = (typeof NOTICES)[number]

/** In which language and whose colors a page is shown. */
export interface PageFrame extends PageLook {
  language: string
  /** Whose page it is, as text. */
  sender: string
}

export interface ShownPreferences {
  preferences: Preferences
  /** The email that led here; null where nothing is known of it. */
  email: { subject: string; sentAt: Date } | null
  notice: Notice | undefined
}

const strong = (text: string) => `<strong>${escapeUTF8(text)}</strong>`

const paragraph = (text: string, values?: Record<string, string>) => `<p>${fillHtml(text, values)}</p>`

/** A page of one text, in the language of its reader. */
export function sendText(
  reply: FastifyReply,
  status: number,
  { title, text }: { title: string; text: string },
  frame: PageFrame,
  after = '',
): FastifyReply {
  return sendPage(reply, status, title, `${paragraph(text, { sender: strong(frame.sender) })}${after}`, frame)
}

/** The page on which a request of an email is carried out. */
export function sendQuestion(reply: FastifyReply, kind: 'download' | 'erase', frame: PageFrame): FastifyReply {
  const texts = findTexts(frame.language)[kind]
  const button = `<form method="post"><button type="submit">${escapeUTF8(texts.button)}</button></form>`
  return sendText(reply, 200, texts, frame, button)
}

/** The page for an email to an address that the contact had before: it shows nothing of the contact, and can only end its emails. */
export function sendMoved(
  reply: FastifyReply,
  { address, isStopped }: { address: string; isStopped: boolean },
  frame: PageFrame,
): FastifyReply {
  const texts = findTexts(frame.language)
  const values = { sender: strong(frame.sender), address: strong(masked(address)) }
  const body = isStopped
    ? `<p class="notice" role="status">${fillHtml(texts.unsubscribed, values)}</p>`
    : paragraph(texts.moved, values) + renderEnd('email', texts, values)
  return sendPage(reply, 200, texts.title, body, frame)
}

/** The page of somebody whom the sender removed and may still put back: they can be erased before. */
export function sendRemoved(
  reply: FastifyReply,
  { email, notice }: { email: string | null; notice: Notice | undefined },
  frame: PageFrame,
): FastifyReply {
  const texts = findTexts(frame.language)
  const values = { sender: strong(frame.sender), address: strong(masked(email ?? '')) }
  const body =
    notice === 'linkSent'
      ? `<p class="notice" role="status">${fillHtml(texts.linkSent, values)}</p>`
      : paragraph(texts.removed, values) + actionForm('erase', texts.askErasure)
  return sendPage(reply, 200, texts.gone.title, body, frame)
}

/** The page with everything a person can choose. */
export function sendPreferences(reply: FastifyReply, shown: ShownPreferences, frame: PageFrame): FastifyReply {
  const { preferences } = shown
  const texts = findTexts(frame.language)
  const values = {
    sender: strong(frame.sender),
    address: strong(masked(preferences.email ?? '') || (preferences.email ?? '-')),
  }
  const body = [
    paragraph(texts.intro, values),
    shown.notice && `<p class="notice" role="status">${fillHtml(texts[shown.notice], values)}</p>`,
    preferences.emails === 'blocked' && paragraph(texts.blocked, values),
    `<form method="post"><input type="hidden" name="action" value="save">`,
    renderChannels(preferences, texts),
    preferences.emails === 'off' ? paragraph(texts.emailsOff, values) : renderLists(preferences, texts),
    preferences.emails === 'on' && renderFrequency(preferences, texts, frame.language),
    `<button type="submit">${escapeUTF8(texts.save)}</button></form>`,
    renderUnsubscribe(preferences, texts, values),
    renderWhy(shown, texts, frame.language, values),
    renderData(preferences, texts, values),
  ]
  return sendPage(reply, 200, texts.title, body.filter(Boolean).join(''), { ...frame, isWide: true })
}

const checkbox = (name: string, value: string, isOn: boolean, label: string) =>
  `<label><input type="checkbox" name="${name}" value="${value}"${isOn ? ' checked' : ''}><span>${label}</span></label>`

const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`

function renderChannels({ emails, whatsapp }: Preferences, texts: PageTexts): string {
  const channels = [
    ...(emails === 'blocked' ? [] : [{ id: 'email', isOn: emails === 'on', label: escapeUTF8(texts.email) }]),
    ...(whatsapp === null ? [] : [{ id: 'whatsapp', isOn: whatsapp === 'on', label: 'WhatsApp' }]),
  ]
  if (channels.length === 0) return ''
  const boxes = channels.map(
    ({ id, isOn, label }) => hidden('shownChannels', id) + checkbox('channels', id, isOn, label),
  )
  return `<fieldset><legend>${escapeUTF8(texts.channels)}</legend>${boxes.join('')}</fieldset>`
}

function renderLists({ lists }: Preferences, texts: PageTexts): string {
  const boxes = lists.map(({ id, name, description, isOn }) => {
    const more = description && `<small class="lines">${escapeUTF8(description)}</small>`
    return hidden('shownLists', id) + checkbox('lists', id, isOn, escapeUTF8(name) + more)
  })
  const shown = boxes.length > 0 ? boxes.join('') : paragraph(texts.noLists)
  return `<fieldset><legend>${escapeUTF8(texts.lists)}</legend>${shown}</fieldset>`
}

function renderFrequency({ frequency, pausedUntil }: Preferences, texts: PageTexts, language: string): string {
  const now = pausedUntil ? 'pause' : frequency
  const pause = pausedUntil ? fillText(texts.paused, { date: formatDay(language, pausedUntil) }) : texts.pause
  const choices = { all: texts.all, weekly: texts.weekly, pause }
  const radios = Object.entries(choices).map(
    ([value, label]) =>
      `<label><input type="radio" name="frequency" value="${value}"${value === now ? ' checked' : ''}><span>${escapeUTF8(label)}</span></label>`,
  )
  return `<fieldset><legend>${escapeUTF8(texts.frequency)}</legend>${radios.join('')}</fieldset>`
}

const actionForm = (action: string, button: string) =>
  `<form method="post">${hidden('action', action)}<button class="outline" type="submit">${escapeUTF8(button)}</button></form>`

function renderUnsubscribe(
  { emails, whatsapp }: Preferences,
  texts: PageTexts,
  values: Record<string, string>,
): string {
  const hasEmails = emails !== 'off'
  if (!hasEmails && whatsapp !== 'on') return ''
  return renderEnd(whatsapp !== 'on' ? 'email' : hasEmails ? 'both' : 'whatsapp', texts, values)
}

const renderEnd = (channels: keyof PageTexts['unsubscribeHint'], texts: PageTexts, values: Record<string, string>) =>
  `<div class="second">${actionForm('unsubscribe', texts.unsubscribeAll)}<p><small>${fillHtml(texts.unsubscribeHint[channels], values)}</small></p></div>`

const SOURCES: Record<string, keyof PageTexts['sources']> = {
  import: 'import',
  form: 'form',
  blog: 'form',
  collected: 'collected',
}

/** Merge fields of a subject are not shown: what they were for this person is not stored. */
const plainSubject = (subject: string) => subject.replace(/\{\{[^{}]*\}\}|\{%[^{}%]*%\}/g, '…')

function renderWhy(
  { preferences, email }: ShownPreferences,
  texts: PageTexts,
  language: string,
  values: Record<string, string>,
): string {
  const { source, createdAt, confirmations, agreements, origins, postalAddress, company } = preferences
  const day = (at: Date | string) => escapeUTF8(formatDay(language, new Date(at)))
  const names = (lists: { name: string }[]) =>
    new Intl.ListFormat(language, { type: 'conjunction' }).format(lists.map(({ name }) => strong(name)))
  const basis = texts.bases[origins.at(-1)?.basis as keyof PageTexts['bases']]
  const hasEvidence = confirmations.length + agreements.length > 0 || basis !== undefined
  const lines = [
    email &&
      paragraph(texts.sentOn, {
        ...values,
        subject: escapeUTF8(plainSubject(email.subject)),
        date: day(email.sentAt),
      }),
    paragraph(texts.sources[SOURCES[source] ?? 'other'], { ...values, date: day(createdAt) }),
    ...confirmations.map(({ lists, confirmedAt, requestedAt }) =>
      lists.length > 0 ? paragraph(texts.confirmed, { list: names(lists), date: day(confirmedAt ?? requestedAt) }) : '',
    ),
    ...agreements.map(({ list, evidence }) =>
      paragraph(texts.agreed, { ...values, list: strong(list.name), evidence: escapeUTF8(evidence) }),
    ),
    ...origins.map(({ sourceUrl, foundAt }) =>
      paragraph(texts.found, { url: escapeUTF8(sourceUrl), date: day(foundAt) }),
    ),
    basis && paragraph(basis),
    !hasEvidence && paragraph(texts.noEvidence, values),
    `<p><strong>${escapeUTF8(texts.postalAddress)}</strong></p>`,
    postalAddress
      ? `<p class="lines">${escapeUTF8(`${company}\n${postalAddress}`)}</p>`
      : paragraph(texts.noPostalAddress),
  ]
  return `<details><summary>${escapeUTF8(texts.why)}</summary><div>${lines.filter(Boolean).join('')}</div></details>`
}

function renderData({ email }: Preferences, texts: PageTexts, values: Record<string, string>): string {
  const forms =
    email === null
      ? paragraph(texts.noEmail)
      : `<p><small>${fillHtml(texts.dataHint, values)}</small></p>${actionForm('download', texts.askData)}${actionForm('erase', texts.askErasure)}`
  return `<details><summary>${escapeUTF8(texts.data)}</summary><div>${forms}</div></details>`
}
