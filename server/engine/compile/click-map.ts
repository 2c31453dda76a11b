/** The email of a campaign as an image of itself: with sample data, and with the clicks of people beside its links. */
import { randomBytes } from 'node:crypto'
import { escapeAttribute } from 'entities'
import { Parser } from 'htmlparser2'
import type { Plan, Recipient } from '../types.ts'
import { applyEdits, type Edit, renderLink } from './links.ts'
import { renderContent } from './splice.ts'

/** An email with the numbers of its links found again in what was rendered. */
export type MarkedEmail = {
  subject: string
  html: string
  /** The same with a number beside each link; null where no link of it is counted. */
  map: string | null
  links: { link: number; label: string }[]
}

const LABEL_LENGTH = 120
const HERE = 'position:relative;display:inline-block;width:0;height:0;line-height:0;vertical-align:top'
const BADGE =
  'position:absolute;left:-10px;top:-18px;z-index:9;padding:0 7px;border-radius:9px;background:#0f766e;color:#fff;box-shadow:0 0 0 2px #fff;font:600 12px/18px system-ui,sans-serif;white-space:nowrap;text-decoration:none;letter-spacing:0;text-transform:none'

const badge = (people: number) =>
  `<span style="${HERE}"><span style="${BADGE}" title="People who clicked: ${people}">${people.toLocaleString('en-US')}</span></span>`

/** Renders what was sent for a person who does not exist. `people`: who clicked, by the number of a link. Throws LiquidProblem. */
export function renderMarked(plan: Plan, recipient: Recipient, people: Record<number, number>): MarkedEmail {
  // What is written in an email cannot know it, so only our own links carry it.
  const mark = `https://${randomBytes(12).toString('hex')}.invalid/`
  const marked = { ...plan, links: plan.links.map(({ index }) => ({ index, url: `${mark}${index}` })) }
  const { subject, html } = renderContent(marked, recipient, { unsubscribe: '#', preferences: '#', view: '#' })
  const found = findMarks(html, mark)
  const target = (link: number) =>
    renderLink(plan.links.find(({ index }) => index === link)?.url ?? '', recipient) ?? '#'
  const led = found.map(({ link, begin, end }) => ({ begin, end, text: `href="${escapeAttribute(target(link))}"` }))
  const counted = found.map(({ link, after }): Edit => ({ begin: after, end: after, text: badge(people[link] ?? 0) }))
  const labels = new Map<number, string>()
  for (const { link, label } of found) labels.set(link, labels.get(link) || label)
  return {
    subject,
    html: withoutMarks(applyEdits(html, led), mark),
    map: found.length === 0 ? null : withoutMarks(applyEdits(html, [...led, ...counted]), mark),
    links: [...labels].map(([link, label]) => ({ link, label })),
  }
}

/** What stands elsewhere than in the address of a link, such as a link that is also written out. */
const withoutMarks = (html: string, mark: string) => html.replaceAll(mark, '#')

interface Mark {
  link: number
  /** The attribute, and where its element's content begins. */
  begin: number
  end: number
  after: number
  label: string
}

function findMarks(html: string, mark: string): Mark[] {
  const found: Mark[] = []
  let attribute: Pick<Mark, 'link' | 'begin' | 'end'> | undefined
  let open: (Mark & { alt: string }) | undefined
  const close = () => {
    if (!open) return
    const { alt, ...link } = open
    const label = (link.label.replace(/\s+/g, ' ').trim() || alt).slice(0, LABEL_LENGTH).toWellFormed()
    found.push({ ...link, label })
    open = undefined
  }
  const parser = new Parser(
    {
      onattribute(name, value) {
        if (name === 'href' && value.startsWith(mark))
          attribute = { link: Number(value.slice(mark.length)), begin: parser.startIndex, end: parser.endIndex }
      },
      onopentag(tag, attributes) {
        if (tag === 'img' && open) open.alt ||= (attributes.alt ?? '').trim()
        if (!attribute) return
        close()
        const here = { ...attribute, after: parser.endIndex + 1, label: '', alt: '' }
        attribute = undefined
        if (tag === 'a') open = here
      },
      ontext(text) {
        if (open) open.label += text
      },
      onclosetag(tag) {
        if (tag === 'a') close()
      },
      onend: close,
    },
    { decodeEntities: true, lowerCaseAttributeNames: true },
  )
  parser.end(html)
  return found
}
