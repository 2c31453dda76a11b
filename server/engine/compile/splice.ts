/** One person's message out of a prepared plan: static bytes are copied, only what differs is rendered and encoded. */
import { parseAddress } from '#contracts/email-address.ts'
import { LiquidProblem, parseLiquid, renderContext, renderIn } from '../liquid/liquid.ts'
import type { BounceClass, Message, Plan, ProblemCode, Recipient, Rendered, Tokens, TokenWanted } from '../types.ts'
import { afterBodyBegin } from './document.ts'
import { dateField, headerText, mailboxField, textField } from './headers.ts'
import { contactScope, LINK_FIELD, ORIGIN_FIELD, PIXEL_FIELD, renderLink } from './links.ts'
import {
  neededTokens,
  type PreparedPart,
  preparePart,
  prepareSubject,
  type RenderSubject,
  renderPart,
  type SharedTokens,
  shareTokens,
  startRun,
} from './pieces.ts'

/** A message that cannot be made for this person; nothing was sent. */
export class SpliceError extends Error {
  outcomeClass: BounceClass
  /** What is wrong with the content; missing: it is not the content. */
  code: ProblemCode | undefined
  constructor(message: string, outcomeClass: BounceClass, code?: ProblemCode) {
    super(message)
    this.name = 'SpliceError'
    this.outcomeClass = outcomeClass
    this.code = code
  }
}

/** The fast runtime form of a plan. */
export type Prepared = {
  readonly plan: Plan
  readonly tokens: Tokens
  /** Rendered for each person; text: the whole field, the same for everybody. */
  readonly subject: RenderSubject | string
  readonly text: PreparedPart
  readonly html: PreparedPart
  /** Tokens that are the same in every message. */
  readonly shared: SharedTokens
  /** Those of the recipient that every message has. */
  readonly needed: readonly TokenWanted[]
  readonly domain: string
  /** False when the sender's own local part needs SMTPUTF8. */
  readonly ascii: boolean
  /** Fields that are the same for everybody. */
  readonly head: string
  readonly beforeText: string
  readonly between: string
  readonly after: string
}

const MIXED_BOUNDARY = '=_postlark_mixed_='
const MIXED = `multipart/mixed; boundary="${MIXED_BOUNDARY}"`
/** Stands before each attachment, on a line of its own. */
export const MIXED_MARK = `--${MIXED_BOUNDARY}`

/**
 * Parses a plan's Liquid and encodes its static bytes. Do it once per process and campaign. `attachments`: whole MIME
 * parts, each begun by MIXED_MARK, the same for everybody.
 */
export function prepare(plan: Plan, tokens: Tokens, attachments = ''): Prepared {
  const domain = plan.from.address.slice(plan.from.address.lastIndexOf('@') + 1)
  // `=_` cannot occur in quoted-printable (RFC 2045 6.7), so no body can hold the boundary.
  const boundary = '=_postlark_alternative_='
  const alternative = `multipart/alternative; boundary="${boundary}"`
  const part = (type: string) =>
    `--${boundary}\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`
  const shared = shareTokens(plan, tokens)
  const [text, html] = [preparePart(plan, plan.text, 'text'), preparePart(plan, plan.html, 'html')]
  return {
    plan,
    tokens,
    subject: plan.subject.includes('{') ? prepareSubject(plan) : textField('Subject', plan.subject),
    text,
    html,
    shared,
    needed: neededTokens([text, html], shared),
    domain,
    ascii: /^[\x21-\x7e]+$/.test(plan.from.address),
    head: staticHead(plan, domain, attachments ? MIXED : alternative),
    beforeText: `\r\n\r\n${attachments ? `${MIXED_MARK}\r\nContent-Type: ${alternative}\r\n\r\n` : ''}${part('plain')}`,
    between: `\r\n${part('html')}`,
    after: `\r\n--${boundary}--\r\n${attachments && `${attachments}${MIXED_MARK}--\r\n`}`,
  }
}

function staticHead(plan: Plan, domain: string, type: string): string {
  const listName = plan.listName ? headerText(plan.listName) : ''
  const listPhrase = /^[A-Za-z0-9 ]{1,60}$/.test(listName) ? `"${listName}" ` : ''
  return [
    mailboxField('From', plan.from.name, plan.from.address),
    ...(plan.replyTo ? [mailboxField('Reply-To', plan.replyTo.name, plan.replyTo.address)] : []),
    ...(plan.purpose === 'confirmation'
      ? ['Auto-Submitted: auto-generated']
      : [
          `List-Id: ${listPhrase}<${plan.listId.replace(/:/g, '-')}.${domain}>`,
          'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
          `Feedback-ID: ${plan.feedbackId}`,
        ]),
    'MIME-Version: 1.0',
    `Content-Type: ${type}`,
  ].join('\r\n')
}

/** One person's message. Throws SpliceError when the address or the template makes it impossible. */
export function splice(prepared: Prepared, recipient: Recipient, now: Date = new Date()): Message {
  const to = parseAddress(recipient.deliverTo ?? recipient.email)
  if (!to) throw new SpliceError('This is not a valid email address', 'hard')
  const { plan, domain, head, beforeText, between, after } = prepared
  const run = startRun(prepared, recipient)
  const id = recipient.confirmation?.messageId ?? run.token('message')
  const marks = recipient.confirmation
    ? ''
    : `X-Postlark-Id: ${id}\r\nList-Unsubscribe: <${plan.publicUrl}/u/${run.token('unsubscribe')}>\r\n`
  const ascii = !to.needsSmtpUtf8 && prepared.ascii
  try {
    const personal =
      `${mailboxField('To', recipient.name, to.address)}\r\n${subjectField(prepared, recipient)}\r\nDate: ${dateField(now)}` +
      `\r\nMessage-ID: <${id}@${domain}>\r\n${marks}${threadFields(recipient)}`
    const message =
      personal + head + beforeText + renderPart(prepared.text, run) + between + renderPart(prepared.html, run) + after
    const data = Buffer.from(message, ascii ? 'latin1' : 'utf8')
    return {
      recipientId: recipient.id,
      messageId: `<${id}@${domain}>`,
      from: plan.from.address,
      to: to.address,
      needsSmtpUtf8: !ascii,
      data,
      ...(recipient.follows && { thread: recipient.follows.thread }),
    }
  } catch (error) {
    if (!(error instanceof LiquidProblem)) throw error
    const place = error.line ? `, line ${error.line}` : ''
    throw new SpliceError(`The template could not be filled in${place}: ${error.message}`, 'content', error.code)
  }
}

function subjectField(prepared: Prepared, recipient: Recipient): string {
  const { subject } = prepared
  if (recipient.follows?.subject) return textField('Subject', recipient.follows.subject)
  return typeof subject === 'string' ? subject : textField('Subject', renderSubject(prepared, recipient))
}

/** The subject one person reads. Throws LiquidProblem. */
export function renderSubject({ plan, subject }: Prepared, recipient: Recipient): string {
  return headerText(typeof subject === 'string' ? plan.subject : subject(recipient))
}

/** RFC 5322 3.6.4: the message it replies to, and the thread up to there, folded at every id. */
function threadFields({ follows }: Recipient): string {
  if (!follows) return ''
  return `In-Reply-To: ${follows.messageId}\r\nReferences: ${follows.references.join('\r\n ')}\r\n`
}

/** The content without tracking, its links leading straight to their destinations: for "view in browser". */
export function renderView({ plan, tokens }: Pick<Prepared, 'plan' | 'tokens'>, recipient: Recipient): Rendered {
  return renderContent(plan, recipient, {
    unsubscribe: `${plan.publicUrl}/u/${tokens.sign('unsubscribe', recipient.id)}`,
    preferences: `${plan.publicUrl}/p/${tokens.sign('preferences', recipient.id)}`,
    view: `${plan.publicUrl}/v/${tokens.sign('view', recipient.id)}`,
  })
}

const NOBODY: Recipient = { id: '0', email: '', name: null, attributes: {} }
const COPY_NOTE =
  '<p id="postlark-copy" style="margin:0;padding:8px 12px;font:14px Arial,Helvetica,sans-serif;color:#333;background:#f2f2f2">' +
  'This copy isn’t personalized. To unsubscribe, use the link in your email.</p>'

/** The content as everybody may see it, without any recipient's data and links of their own: "view in browser" where totals alone are counted. */
export function renderSharedView({ plan, tokens }: Pick<Prepared, 'plan' | 'tokens'>): Rendered {
  const view = `${plan.publicUrl}/v/${tokens.sign('campaign_view', plan.totalsFor ?? '0')}`
  const own = '#postlark-copy'
  const shown = renderContent(plan, NOBODY, { unsubscribe: own, preferences: own, view })
  return { ...shown, html: afterBodyBegin(shown.html, COPY_NOTE) }
}

/** Content as one person reads it, nothing counted. Throws LiquidProblem. */
export function renderContent(
  content: Pick<Plan, 'subject' | 'html' | 'text' | 'links'>,
  recipient: Recipient,
  urls: { unsubscribe: string; preferences: string; view: string },
): Rendered {
  const scope: Record<string, unknown> = {
    ...contactScope(recipient),
    unsubscribe_url: urls.unsubscribe,
    preferences_url: urls.preferences,
    view_url: urls.view,
    [PIXEL_FIELD]: '',
    [ORIGIN_FIELD]: '',
  }
  for (const link of content.links) scope[LINK_FIELD + link.index] = renderLink(link.url, recipient) ?? ''
  const render = (source: string, kind: 'html' | 'text') => {
    const parsed = parseLiquid(source, kind)
    return renderIn(renderContext(scope, kind), parsed)
  }
  return {
    subject: headerText(render(content.subject, 'text')),
    html: render(content.html, 'html'),
    text: render(content.text, 'text'),
  }
}
