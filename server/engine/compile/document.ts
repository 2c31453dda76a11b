/** From what an author wrote to a whole document: MJML, completion, inlined CSS, footer, pixel. All on guarded Liquid. */
import { escapeHtml, liquidSpans } from '../liquid/liquid.ts'
import { findProblemCode } from '../liquid/liquid-fault.ts'
import type { Draft, Problem, Recipient } from '../types.ts'
import type { Guard } from './guard.ts'
import { ORIGIN_FIELD, PIXEL_FIELD } from './links.ts'

// Loaded where something is compiled: every thread and process that sends would load them for nothing.
const loadMjml = async () => (await import('mjml')).default
const loadJuice = async () => (await import('juice')).default

/** MJML to HTML. Null when it cannot be made; the problems say why, with lines of the MJML. */
export async function mjmlToHtml(guard: Guard, problems: Problem[]): Promise<string | null> {
  const add = (line: number | null, severity: Problem['severity'], message: string, code: Problem['code'] = 'syntax') =>
    problems.push({ code, part: 'mjml', line, severity, message })
  if (/<mj-include\b/i.test(guard.guarded)) {
    add(
      lineAt(guard.guarded, guard.guarded.search(/<mj-include\b/i)),
      'error',
      'mj-include needs other files: put the content here instead',
      'include',
    )
    return null
  }
  try {
    const mjml2html = await loadMjml()
    const { html, errors } = await mjml2html(guard.guarded, {
      ignoreIncludes: true,
      minify: false,
      validationLevel: 'soft',
    })
    for (const error of errors) {
      const lost = /doesn't exist|not registered|cannot be used inside/.test(error.message)
      add(error.line, lost ? 'error' : 'warning', error.message)
    }
    for (const span of guard.missing(html)) {
      add(
        span.line,
        'error',
        `${span.text} stands between MJML elements, where it would be lost: put it inside <mj-raw>`,
      )
    }
    return html
  } catch (error) {
    const reason = guard.restore((error as Error).message).slice(0, 300)
    add(null, 'error', `This is not valid MJML: ${reason}`, findProblemCode(error))
    return null
  }
}

/** Inlines CSS so that mail programs that drop <style> still show it; media queries stay. Nothing is fetched. */
export async function inlineCss(guard: Guard, html: string, problems: Problem[]): Promise<string> {
  if (!/<style\b/i.test(html)) return html
  const keep = { code: 'css', severity: 'warning', part: 'html', line: null } as const
  const juice = await loadJuice()
  try {
    const inlined = juice(html, {
      removeStyleTags: true,
      preserveMediaQueries: true,
      preserveFontFaces: true,
      preserveKeyFrames: true,
      preservePseudos: true,
      preserveImportant: true,
    })
    const before = new Set(guard.missing(html))
    const lost = guard.missing(inlined).find((span) => !before.has(span))
    if (!lost) return inlined
    problems.push({ ...keep, line: lost.line, message: `CSS was not inlined because of ${lost.text} among the styles` })
  } catch (error) {
    const reason = guard.restore((error as Error).message).slice(0, 200)
    problems.push({ ...keep, code: findProblemCode(error, 'css'), message: `CSS was not inlined: ${reason}` })
  }
  return html
}

/** Wraps a fragment into a document, so that every mail program reads it alike. */
export function completeDocument(html: string): string {
  if (/<(?:html|body|head)\b/i.test(html)) {
    return html.replace(/(<meta\b[^<>]*?\bcharset\s*=\s*["']?)(?!utf-8)[\w-]+/gi, '$1utf-8')
  }
  const head =
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
  return `<!doctype html>\n<html>\n<head>${head}</head>\n<body>\n${html}\n</body>\n</html>\n`
}

/** Puts a piece at the end of the body. */
export function beforeBodyEnd(html: string, piece: string): string {
  const at = html.toLowerCase().lastIndexOf('</body')
  return at < 0 ? `${html}\n${piece}\n` : `${html.slice(0, at)}${piece}\n${html.slice(at)}`
}

/** Where a tag ends that begins at a place: after its `>`, which may stand in a quoted attribute before. -1: nowhere. */
function tagEnd(html: string, begin: number): number {
  let quote = ''
  for (let at = begin; at < html.length; at++) {
    const character = html[at] as string
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '>') return at + 1
  }
  return -1
}

/** Puts a piece at the beginning of the body. */
export function afterBodyBegin(html: string, piece: string): string {
  const begin = html.search(/<body[\s>]/i)
  const at = begin < 0 ? -1 : tagEnd(html, begin)
  if (at < 0) return `${piece}\n${html}`
  return `${html.slice(0, at)}${piece}${html.slice(at)}`
}

const PREHEADER_STYLE =
  'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all'
/** Characters without width: inboxes would fill a short preview text up with the words the email begins with. */
const PREHEADER_FILL = '&#847;&zwnj;&nbsp;'.repeat(90)

/** The preview text, Liquid in it, hidden from who reads the email. */
export function preheaderHtml(preheader: string, carrier: Guard): string {
  const line = preheader.replace(/\s+/g, ' ').trim()
  let text = ''
  let at = 0
  for (const span of liquidSpans(line)) {
    text += `${literalText(line.slice(at, span.begin), carrier)}${carrier.add(span.text)}`
    at = span.end
  }
  text += literalText(line.slice(at), carrier)
  return `<div style="${PREHEADER_STYLE}">${text}${PREHEADER_FILL}</div>`
}

/** Text as HTML, in which nothing is one of the words that stand for Liquid. */
const literalText = (text: string, { indexes }: Guard) =>
  indexes(text).length === 0 ? escapeHtml(text) : escapeHtml(text).replaceAll('lqd', '&#108;qd')

const literalBraces = (html: string) => html.replaceAll('{', '&#123;')

const FOOTER_STYLE =
  'text-align:center;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:1.5;color:#595959'
const ORIGIN_STYLE = `margin:0;padding:24px 16px 0;${FOOTER_STYLE}`

/** The links of a footer, as Liquid or as the guarded words for it. */
export interface FooterLinks {
  unsubscribe: string
  preferences: string
}

/** The footer with sender, postal address and the guarded links; null without them. */
export function footerHtml(footer: Draft['footer'], links: FooterLinks | null): string {
  const lines = footerLines(footer).map((line) => literalBraces(escapeHtml(line)))
  const link = (url: string, label: string) =>
    `<a href="${url}" style="color:#595959;text-decoration:underline">${label}</a>`
  if (links) lines.push(`${link(links.unsubscribe, 'Unsubscribe')} · ${link(links.preferences, 'Manage preferences')}`)
  return lines.length === 0 ? '' : `<div style="margin:0;padding:24px 16px;${FOOTER_STYLE}">${lines.join('<br>')}</div>`
}

/** The same for the text part. */
export function footerText(footer: Draft['footer'], links: FooterLinks | null): string {
  const lines = footerLines(footer).map(literalLiquid)
  if (links) lines.push(`Unsubscribe: ${links.unsubscribe}`, `Manage preferences: ${links.preferences}`)
  return lines.length === 0 ? '' : `\n\n-- \n${lines.join('\n')}\n`
}

/** Text that Liquid will give back as it is. */
export function literalLiquid(text: string): string {
  return text.replaceAll('{', '{{ "{" }}')
}

function footerLines(footer: Draft['footer']): string[] {
  return [footer.company ?? '', ...(footer.postalAddress ?? '').split(/\r\n|\r|\n/)]
    .map((line) => line.trim())
    .filter(Boolean)
}

/** Where a footer says how the address was found. */
export const ORIGIN = `{{ ${ORIGIN_FIELD} | raw }}`

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The words for it, empty for people whose address was not found on a page (GDPR art. 14 (2) (f)). */
export function originPiece({ origin }: Pick<Recipient, 'origin'>, kind: 'html' | 'text'): string {
  if (!origin) return ''
  const sentence = `We found your address on ${origin.url} on ${DAY.format(origin.at)}.`
  return kind === 'text' ? `\n\n${sentence}\n` : `<div style="${ORIGIN_STYLE}">${escapeHtml(sentence)}</div>`
}

export const PIXEL = `{{ ${PIXEL_FIELD} | raw }}`

/** The 1x1 image that tells of an opening. */
export function pixelTag(url: string): string {
  return `<img src="${url}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`
}

export function lineAt(text: string, position: number): number {
  return text.slice(0, Math.max(0, position)).split('\n').length
}
