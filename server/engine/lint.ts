/** What a person would want to know of a finished letter before it goes out: links, pictures, contrast, writing that looks like spam. */
import { Parser } from 'htmlparser2'
import { contrastProblems } from './contrast.ts'
import { lineAt } from './document.ts'
import type { Guard } from './guard.ts'
import type { Problem } from './types.ts'

interface Found {
  links: { href: string; text: string }[]
  pictures: { src: string }[]
  words: string
}

const SHORTENERS = /^https?:\/\/(?:www\.)?(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|ow\.ly|is\.gd|rebrand\.ly)\//i
const PLACEHOLDER = /^https?:\/\/(?:[\w-]+\.)*example\.(?:com|org|net)(?:[/?#]|$)/i
const HOST = /^(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})(?:[/?#:]|$)/i

/** Words that filters weigh, each with why. */
const LOUD: [RegExp, string][] = [
  [/\b(?:100\s?% free|absolutely free|completely free)\b/i, 'filters know it from offers that are not free'],
  [
    /\b(?:act now|order now|don['’]t delete|urgent(?:ly)?|last chance|limited time)\b/i,
    'it presses, as unwanted mail does',
  ],
  [/\b(?:risk[- ]free|no obligation|guaranteed|money back)\b/i, 'it promises what nobody can check'],
  [/\b(?:winner|you have won|you['’]ve won|cash bonus|prize)\b/i, 'it is how lottery fraud begins'],
  [/\b(?:make money|earn extra|double your|get rich|work from home)\b/i, 'it is how money fraud begins'],
  [/\bclick here\b/i, 'it does not say where the link leads; name the thing instead'],
]

function read(html: string): Found {
  const found: Found = { links: [], pictures: [], words: '' }
  let link: Found['links'][number] | undefined
  let silent = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'style' || name === 'script' || name === 'title') silent++
      if (name === 'a' && attributes.href !== undefined) {
        link = { href: attributes.href, text: '' }
        found.links.push(link)
      }
      if (name === 'img' && attributes.src !== undefined) found.pictures.push({ src: attributes.src })
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
  if (address === '' || address === '#') return 'A link leads nowhere: give it an address'
  if (/^(?:mailto|tel|sms):/i.test(address) || /lqd|\{\{|\{%/i.test(address)) return null
  if (!/^https?:\/\//i.test(address)) {
    if (/^[a-z][a-z+.-]*:/i.test(address)) return `The link ${address.slice(0, 60)} does not open in mail programs`
    return `The link ${address.slice(0, 60)} has no web address: begin it with https://`
  }
  const host = URL.parse(address)?.hostname
  if (!host || !/[.:]/.test(host)) return `The link ${address.slice(0, 60)} is no address that can be reached`
  if (SHORTENERS.test(address)) return `The link ${address.slice(0, 60)} hides where it leads: filters distrust it`
  const shown = HOST.exec(text.trim())?.[1]
    ?.toLowerCase()
    .replace(/^www\./, '')
  if (shown && !host.endsWith(shown) && !shown.endsWith(host.replace(/^www\./, '')))
    return `A link says ${shown} and leads to ${host}: that is how phishing looks`
  return null
}

function pictureProblem(src: string): string | null {
  const address = src.trim()
  if (address === '') return 'A picture has no address: choose one'
  if (/^data:/i.test(address))
    return 'A picture is written into the letter: many mail programs do not show it. Upload it'
  if (/^https?:\/\//i.test(address) || /lqd|\{\{|\{%/i.test(address)) return null
  return `The picture ${address.slice(0, 60)} has no web address: upload it`
}

function writingProblems(subject: string, found: Found): { part: 'subject' | 'html'; message: string }[] {
  const problems: { part: 'subject' | 'html'; message: string }[] = []
  const written = subject.replace(/\{[{%](?:(?!\{[{%]).)*?[%}]\}/g, '').replace(/[^\p{L}]/gu, '')
  if (written.length >= 8 && written === written.toUpperCase() && written !== written.toLowerCase())
    problems.push({ part: 'subject', message: 'Reads like spam: it is all in capitals. Write it as you would say it' })
  if (/!\s*!/.test(subject) || (subject.match(/!/g)?.length ?? 0) > 1)
    problems.push({ part: 'subject', message: 'Reads like spam: several exclamation marks. None is better' })
  if (/^\s*(?:re|fwd?|aw|wg)\s*:/i.test(subject))
    problems.push({ part: 'subject', message: 'Reads like spam: it claims to answer a letter. Say what it is about' })
  for (const [part, text] of [
    ['subject', subject],
    ['html', found.words],
  ] as const)
    for (const [pattern, reason] of LOUD) {
      const words = pattern.exec(text)?.[0]
      if (words) problems.push({ part, message: `Reads like spam: “${words}”, ${reason}` })
    }
  if (/!{3,}/.test(found.words)) problems.push({ part: 'html', message: 'Reads like spam: rows of exclamation marks' })
  if (found.pictures.length > 0 && found.words.replace(/\s+/g, ' ').trim().length < 80)
    problems.push({
      part: 'html',
      message: 'Reads like spam: it is nearly all picture. Write what it says as text as well',
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
  const warn = (message: string | null, about = '', where: Problem['part'] = part) => {
    if (message === null || seen.has(message) || seen.size >= 60) return
    seen.add(message)
    const value = source.search(new RegExp(`=\\s*["']\\s*${RegExp.escape(about)}`))
    const at = about === '' ? -1 : value >= 0 ? value : source.indexOf(about)
    problems.push({ part: where, line: at < 0 ? null : lineAt(source, at), severity: 'warning', message })
  }
  for (const { href, text } of found.links) if (guarded.indexes(href).length === 0) warn(linkProblem(href, text), href)
  for (const { src } of found.pictures) if (guarded.indexes(src).length === 0) warn(pictureProblem(src), src)
  const placeholders = found.links.filter(({ href }) => PLACEHOLDER.test(href))
  if (placeholders[0]) {
    const which = placeholders.length === 1 ? 'One link still leads' : `${placeholders.length} links still lead`
    warn(`${which} to example.com: put in your own address`, placeholders[0].href)
  }
  for (const problem of writingProblems(subject, found))
    warn(problem.message, '', problem.part === 'subject' ? 'subject' : part)
  for (const problem of contrastProblems(document)) warn(guarded.restore(problem))
  return problems
}
