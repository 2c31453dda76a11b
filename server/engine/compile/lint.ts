/** What a person would want to know of a finished email before it goes out: links, images, contrast, writing that looks like spam. */
import { Parser } from 'htmlparser2'
import type { Problem } from '../types.ts'
import { contrastProblems } from './contrast.ts'
import { lineAt } from './document.ts'
import type { Guard } from './guard.ts'

interface LintFinding {
  links: { href: string; text: string }[]
  images: { src: string }[]
  words: string
}

const SHORTENERS = /^https?:\/\/(?:www\.)?(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|ow\.ly|is\.gd|rebrand\.ly)\//i
const PLACEHOLDER = /^https?:\/\/(?:[\w-]+\.)*(example\.(?:com|org|net))(?:[/?#]|$)/i
const HOST = /^(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})(?:[/?#:]|$)/i

/** Words that filters weigh, each with why. */
const LOUD: [RegExp, string][] = [
  [/\b(?:100\s?% free|absolutely free|completely free)\b/i, 'which is common in offers that are not free'],
  [
    /\b(?:act now|order now|don['’]t delete|urgent(?:ly)?|last chance|limited time)\b/i,
    'which creates pressure, as spam does',
  ],
  [/\b(?:risk[- ]free|no obligation|guaranteed|money back)\b/i, 'which is a promise that cannot be verified'],
  [/\b(?:winner|you have won|you['’]ve won|cash bonus|prize)\b/i, 'which is common in lottery scams'],
  [/\b(?:make money|earn extra|double your|get rich|work from home)\b/i, 'which is common in money scams'],
  [/\bclick here\b/i, 'which does not say where the link leads. Describe the target instead'],
]

function read(html: string): LintFinding {
  const found: LintFinding = { links: [], images: [], words: '' }
  let link: LintFinding['links'][number] | undefined
  let silent = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'style' || name === 'script' || name === 'title') silent++
      if (name === 'a' && attributes.href !== undefined) {
        link = { href: attributes.href, text: '' }
        found.links.push(link)
      }
      if (name === 'img' && attributes.src !== undefined) found.images.push({ src: attributes.src })
    },
    ontext(text) {
      if (silent > 0) return
      found.words += text
      if (link) link.text += text
    },
    onclosetag(name) {
      if (name === 'style' || name === 'script' || name === 'title') silent--
      if (name === 'a') link = undefined
    },
  })
  parser.end(html)
  return found
}

function linkProblem(href: string, text: string): string | null {
  const address = href.trim()
  if (address === '' || address === '#') return 'A link has no URL. Add one'
  if (/^(?:mailto|tel|sms):/i.test(address) || /lqd|\{\{|\{%/i.test(address)) return null
  if (!/^https?:\/\//i.test(address)) {
    if (/^[a-z][a-z+.-]*:/i.test(address)) return `The link ${address.slice(0, 60)} does not open in email clients`
    return `The link ${address.slice(0, 60)} has no web address. Start it with https://`
  }
  const host = URL.parse(address)?.hostname
  if (!host || !/[.:]/.test(host)) return `The link ${address.slice(0, 60)} cannot be reached`
  if (SHORTENERS.test(address)) return `The link ${address.slice(0, 60)} hides its target, and spam filters distrust it`
  const shown = HOST.exec(text.trim())?.[1]
    ?.toLowerCase()
    .replace(/^www\./, '')
  if (shown && !host.endsWith(shown) && !shown.endsWith(host.replace(/^www\./, '')))
    return `A link shows ${shown} but leads to ${host}, as phishing links do`
  return null
}

function imageProblem(src: string): string | null {
  const address = src.trim()
  if (address === '') return 'An image has no URL. Choose an image'
  if (/^data:/i.test(address))
    return 'An image is embedded in the email, and many email clients do not show it. Upload it'
  if (/^https?:\/\//i.test(address) || /lqd|\{\{|\{%/i.test(address)) return null
  return `The image ${address.slice(0, 60)} has no web address. Upload it`
}

function writingProblems(subject: string, found: LintFinding): { part: 'subject' | 'html'; message: string }[] {
  const problems: { part: 'subject' | 'html'; message: string }[] = []
  const written = subject.replace(/\{[{%](?:(?!\{[{%]).)*?[%}]\}/g, '').replace(/[^\p{L}]/gu, '')
  if (written.length >= 8 && written === written.toUpperCase() && written !== written.toLowerCase())
    problems.push({ part: 'subject', message: 'Reads like spam: it is all in capitals. Use sentence case' })
  if (/!\s*!/.test(subject) || (subject.match(/!/g)?.length ?? 0) > 1)
    problems.push({ part: 'subject', message: 'Reads like spam: it has several exclamation marks. Remove them' })
  if (/^\s*(?:re|fwd?|aw|wg)\s*:/i.test(subject))
    problems.push({ part: 'subject', message: 'Reads like spam: it looks like a reply. Say what the email is about' })
  for (const [part, text] of [
    ['subject', subject],
    ['html', found.words],
  ] as const)
    for (const [pattern, reason] of LOUD) {
      const words = pattern.exec(text)?.[0]
      if (words) problems.push({ part, message: `Reads like spam: “${words}”, ${reason}` })
    }
  if (/!{3,}/.test(found.words))
    problems.push({ part: 'html', message: 'Reads like spam: it has several exclamation marks in a row' })
  if (found.images.length > 0 && found.words.replace(/\s+/g, ' ').trim().length < 80)
    problems.push({
      part: 'html',
      message: 'Reads like spam: it is almost only images. Add the message as text',
    })
  return problems
}

/**
 * Warnings about a finished, guarded document. `source` is what its author wrote: lines are of it. Nothing is fetched.
 */
export function lintDocument(
  document: string,
  source: string,
  subject: string,
  guarded: Guard,
  part: 'html' | 'mjml',
): Problem[] {
  const found = read(document)
  const problems: Problem[] = []
  const seen = new Set<string>()
  const warn = (code: Problem['code'], message: string | null, about = '', where: Problem['part'] = part) => {
    if (message === null || seen.has(message) || seen.size >= 60) return
    seen.add(message)
    const value = source.search(new RegExp(`=\\s*["']\\s*${RegExp.escape(about)}`))
    const at = about === '' ? -1 : value >= 0 ? value : source.indexOf(about)
    problems.push({ code, part: where, line: at < 0 ? null : lineAt(source, at), severity: 'warning', message })
  }
  for (const { href, text } of found.links)
    if (guarded.indexes(href).length === 0) warn('link', linkProblem(href, text), href)
  for (const { src } of found.images) if (guarded.indexes(src).length === 0) warn('image', imageProblem(src), src)
  const placeholders = found.links.filter(({ href }) => PLACEHOLDER.test(href))
  if (placeholders[0]) {
    const which = placeholders.length === 1 ? 'One link still leads' : `${placeholders.length} links still lead`
    warn(
      'placeholder',
      `${which} to ${PLACEHOLDER.exec(placeholders[0].href)?.[1]?.toLowerCase()}. Use your own URL`,
      placeholders[0].href,
    )
  }
  for (const problem of writingProblems(subject, found))
    warn('spam', problem.message, '', problem.part === 'subject' ? 'subject' : part)
  for (const problem of contrastProblems(document)) warn('contrast', guarded.restore(problem))
  return problems
}
