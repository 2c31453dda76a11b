import { Parser } from 'htmlparser2'
import type { Link } from '../types.ts'
import { type Content, namesOf, noStyles, readSheet, readStyle, type Styles } from './styles.ts'

/** An attribute that may hold a contact. */
export interface Attribute {
  tag: string
  name: string
  value: string
}

/** All an extractor and a crawler need of a page, read in one pass. */
export interface Page {
  title: string
  /** The language as the page says it, such as `de` or `de-AT`. */
  lang: string
  /** What a reader sees: inline pieces joined, blocks on lines of their own. */
  text: string
  /** Text whose direction is turned: it is read from behind. */
  reversed: string[]
  links: Link[]
  /** Addresses that are no pages: mailto:, tel:, javascript: and others, with the words of the link. */
  actions: { href: string; text: string; at: number }[]
  attributes: Attribute[]
  /** Elements with several data-* attributes: an address may be spread over them. */
  spread: Record<string, string>[]
  scripts: string[]
  jsonLd: string[]
  comments: string[]
  /** Text in the clothes of a script: templates, cards. */
  templates: string[]
  /** Addresses of pages with an @ in their query. */
  queries: string[]
  /** What the page says to robots: noindex, nofollow, and to those who harvest. */
  robots: string
  canonical: string
  siteName: string
}

const BLOCKS = new Set(
  'address article aside blockquote body br button dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html label legend li main nav ol option p pre section select summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Its content is not text of the page. */
const SILENT = new Set(['style', 'script', 'template', 'noframes', 'svg', 'title'])
const LOOKED_AT = new Set(['title', 'alt', 'aria-label', 'onclick', 'onmouseover', 'onmousedown', 'content', 'value'])
const LINKING = new Set(['a', 'area', 'link', 'form'])
const MOST_TEXT = 4_000_000
const DEEPEST = 5_000

interface Frame {
  tag: string
  hidden: boolean
  reversed: boolean
  silent: boolean
  after: string
  /** Where the text of a link began. */
  link?: { index: number; kind: 'link' | 'action'; from: number }
}

class Reader {
  readonly page: Page = {
    title: '',
    lang: '',
    text: '',
    reversed: [],
    links: [],
    actions: [],
    attributes: [],
    spread: [],
    scripts: [],
    jsonLd: [],
    comments: [],
    queries: [],
    templates: [],
    robots: '',
    canonical: '',
    siteName: '',
  }
  base: string
  readonly #styles: Styles = noStyles()
  readonly #stack: Frame[] = []
  #silent = ''
  #scriptType = ''
  #turned = ''

  constructor(url: string) {
    this.base = url
  }

  get depth(): number {
    return this.#stack.length
  }

  get #top(): Frame | undefined {
    return this.#stack.at(-1)
  }

  #write(text: string): void {
    const top = this.#top
    if (top?.hidden || this.page.text.length > MOST_TEXT) return
    if (top?.reversed) this.#turned += text
    else this.page.text += text
  }

  open(tag: string, attributes: Record<string, string>): void {
    // An address in angle brackets that nobody encoded: <info@firma.de>.
    if (tag.includes('@')) return this.#write(` ${tag} `)
    const parent = this.#top
    if (BLOCKS.has(tag)) this.#write('\n')
    const names = namesOf(tag, attributes)
    const own = readStyle(attributes.style ?? '')
    const hidden =
      parent?.hidden ||
      own.hidden ||
      attributes.hidden !== undefined ||
      names.some((name) => this.#styles.hidden.has(name))
    const reversed =
      parent?.reversed ||
      own.reversed ||
      names.some((name) => this.#styles.reversed.has(name)) ||
      (tag === 'bdo' && attributes.dir?.toLowerCase() === 'rtl')
    if (tag === 'meta') this.#meta(attributes)
    else if (tag === 'base' && attributes.href) this.base = URL.parse(attributes.href, this.base)?.href ?? this.base
    else if (tag === 'html') this.page.lang = attributes.lang ?? attributes['xml:lang'] ?? ''
    else if (tag === 'link' && /\bcanonical\b/i.test(attributes.rel ?? '')) this.page.canonical = attributes.href ?? ''
    else if (tag === 'script') this.#scriptType = (attributes.type ?? '').toLowerCase()
    this.#note(tag, attributes)
    const frame: Frame = {
      tag,
      hidden: Boolean(hidden),
      reversed: Boolean(reversed),
      silent: SILENT.has(tag),
      after: '',
    }
    const href = attributes.href ?? attributes['xlink:href'] ?? (tag === 'form' ? attributes.action : undefined)
    if (href !== undefined && LINKING.has(tag)) this.#link(frame, href, attributes.rel ?? '')
    if (attributes.src && /[?&=][^?&=]*(?:@|%40)/.test(attributes.src)) this.page.queries.push(attributes.src)
    if (VOID.has(tag)) {
      // A picture of the sign stands for the sign.
      if (tag === 'img' && /^\s*[[({]?\s*(@|at|ät)\s*[\])}]?\s*$/i.test(attributes.alt ?? ''))
        this.#write(attributes.alt ?? '')
      return
    }
    this.#stack.push(frame)
    this.#write(this.#generated(this.#styles.before, names, attributes))
    frame.after = this.#generated(this.#styles.after, names, attributes)
    if (frame.silent) this.#silent = ''
  }

  text(text: string): void {
    const top = this.#top
    if (top?.silent) this.#silent += text
    else this.#write(text)
  }

  close(tag: string): void {
    if (VOID.has(tag)) return
    while (this.#stack.length > 0) {
      const frame = this.#top as Frame
      if (frame.after) this.#write(frame.after)
      if (frame.silent) this.#endSilent(frame.tag)
      if (frame.link) this.#endLink(frame.link)
      this.#stack.pop()
      if (frame.reversed && !this.#top?.reversed) {
        this.page.reversed.push(this.#turned)
        this.#turned = ''
        this.#write('\n')
      }
      if (BLOCKS.has(frame.tag)) this.#write('\n')
      if (frame.tag === tag) return
    }
  }

  comment(text: string): void {
    if (text.length < 20_000 && /@|mailto|\bat\b|tel/i.test(text)) this.page.comments.push(text)
  }

  #generated(rules: Map<string, Content>, names: string[], attributes: Record<string, string>): string {
    if (rules.size === 0) return ''
    return names
      .flatMap((name) => rules.get(name) ?? [])
      .map((part) => ('text' in part ? part.text : (attributes[part.attribute] ?? '')))
      .join('')
  }

  #meta(attributes: Record<string, string>): void {
    const name = (attributes.name ?? attributes.property ?? attributes['http-equiv'] ?? '').toLowerCase()
    const content = attributes.content ?? ''
    if (name === 'tdm-reservation') this.page.robots += `tdm-reservation=${content.trim()},`
    if (name === 'robots' || name === 'postlark') this.page.robots += `${content.toLowerCase()},`
    if (name === 'og:site_name' || (name === 'author' && !this.page.siteName))
      this.page.siteName = content.slice(0, 200)
    if (name === 'content-language' && !this.page.lang) this.page.lang = content
  }

  #note(tag: string, attributes: Record<string, string>): void {
    let data = 0
    for (const [name, value] of Object.entries(attributes)) {
      if (!value) continue
      const isData = name.startsWith('data-')
      if (isData) data++
      if (!isData && !LOOKED_AT.has(name)) continue
      // What a form suggests is nobody's address.
      if (
        name === 'value' &&
        tag === 'input' &&
        attributes.readonly === undefined &&
        /^(text|email|tel|search)?$/i.test(attributes.type ?? '')
      )
        continue
      if (value.length < 20_000) this.page.attributes.push({ tag, name, value })
    }
    if (data > 1 && this.page.spread.length < 5_000) this.page.spread.push(attributes)
  }

  #link(frame: Frame, given: string, rel: string): void {
    const href = given.replace(/^[\s\p{Cc}]+/u, '')
    const from = this.page.text.length
    if (/^[a-z][a-z0-9+.-]*:/i.test(href) && !/^https?:/i.test(href)) {
      frame.link = { index: this.page.actions.length, kind: 'action', from }
      this.page.actions.push({ href, text: '', at: from })
      return
    }
    const url = URL.parse(href, this.base)
    if (/[?&=][^?&=]*(?:@|%40)/.test(href)) this.page.queries.push(href)
    // Forms are no pages to go to.
    if (frame.tag !== 'a' && frame.tag !== 'area') return
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return
    frame.link = { index: this.page.links.length, kind: 'link', from }
    this.page.links.push({
      url: url.href,
      nofollow: /\b(nofollow|ugc|sponsored)\b/i.test(rel),
      text: '',
    })
  }

  #endLink({ index, kind, from }: NonNullable<Frame['link']>): void {
    const text = this.page.text
      .slice(from, from + 200)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 100)
    const link = kind === 'link' ? this.page.links[index] : this.page.actions[index]
    if (link) link.text = text
  }

  #endSilent(tag: string): void {
    const content = this.#silent
    this.#silent = ''
    if (tag === 'title' && !this.page.title) this.page.title = content.replace(/\s+/g, ' ').trim().slice(0, 300)
    else if (tag === 'style') readSheet(this.#styles, content)
    else if (tag === 'script') this.#endScript(content)
  }

  #endScript(content: string): void {
    if (/ld\+json/.test(this.#scriptType)) this.page.jsonLd.push(content)
    else if (/vcard|template|html|text\/plain|markdown/.test(this.#scriptType)) this.page.templates.push(content)
    else this.page.scripts.push(content)
  }

  end(): Page {
    while (this.#stack.length > 0) this.close((this.#top as Frame).tag)
    return this.page
  }
}

/** Reads HTML in one pass. `url` is where it was found; broken HTML is read as browsers forgive it. */
export function readPage(html: string, url: string): Page {
  const reader = new Reader(url)
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        reader.open(tag, attributes)
        // Nobody nests so deep by accident, and the parser's time grows with the square of it: the rest is left.
        if (reader.depth > DEEPEST) parser.pause()
      },
      ontext: (text) => reader.text(text),
      onclosetag: (tag) => reader.close(tag),
      oncomment: (text) => reader.comment(text),
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: false },
  )
  parser.write(html)
  parser.end()
  return reader.end()
}
