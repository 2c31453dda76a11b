import { Parser } from 'htmlparser2'
import { type CardMark, Cards } from './cards.ts'
import { emptyPage, type PageContent } from './page.ts'
import { type Content, noStyles, readSheet, readStyle, type Styles, selectorNames } from './styles.ts'

export type { PageContent } from './page.ts'

const BLOCKS = new Set(
  'address article aside blockquote body br button dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html label legend li main nav ol option p pre section select summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Its content is not text of the page. */
const SILENT = new Set(['style', 'script', 'noframes', 'title'])
const LOOKED_AT = new Set(['title', 'alt', 'aria-label', 'onclick', 'onmouseover', 'onmousedown', 'content', 'value'])
const LINKING = new Set(['a', 'area', 'link', 'form'])
/** Words in an element of their own, with what they announce right behind it: `<b>Mail</b>info@firma.de`. */
const ANNOUNCES =
  /(?:^|[^\p{L}-])(?:e-?mail|mail|e-post|correo|courriel|kontakt|contact|adresse?|email us|tel(?:efon|éfono|éphone)?|phone|mobil|fax)$/iu
const MAX_TEXT = 4_000_000
/** Characters of what a link or a name holds. */
const MAX_WORDS = 200
const MAX_ATTRIBUTES = 20_000
const DEEPEST = 5_000

interface Frame {
  tag: string
  hidden: boolean
  reversed: boolean
  silent: boolean
  after: string
  /** Which of the pieces of text is the first in it. */
  from: number
  link?: { index: number; kind: 'link' | 'action' }
  card?: CardMark
}

const NO_NAMES: string[] = []

class Reader {
  readonly page = emptyPage()
  base: string
  /** The text in pieces: putting them together again and again would take time with the square of the page. */
  readonly #pieces: string[] = []
  #length = 0
  /** Whether an element begins or ends here, and no character stands between. */
  #isJoint = false
  readonly #cards = new Cards()
  readonly #styles: Styles = noStyles()
  readonly #stack: Frame[] = []
  #silent: string[] = []
  #scriptType = ''
  #turned: string[] = []

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
    if (text === '') return
    const top = this.#top
    if (top?.hidden || this.#length > MAX_TEXT) return
    if (top?.reversed) {
      this.#turned.push(text)
      return
    }
    const last = this.#pieces.at(-1)
    if (text === '\n' && last === '\n') return
    if (this.#isJoint && last && /^[\p{L}\d]/u.test(text) && ANNOUNCES.test(last.slice(-16))) this.#push(' ')
    this.#isJoint = false
    this.#push(text)
  }

  #push(text: string): void {
    this.#pieces.push(text)
    this.#length += text.length
  }

  /** What was written since a piece, its beginning. */
  #since(from: number): string {
    let text = ''
    for (let i = from; i < this.#pieces.length && text.length < MAX_WORDS; i++) text += this.#pieces[i]
    return text.slice(0, MAX_WORDS).replace(/\s+/g, ' ').trim()
  }

  open(tag: string, attributes: Record<string, string>): void {
    // An address in angle brackets that nobody encoded: <info@firma.de>.
    if (tag.includes('@')) return this.#write(` ${tag} `)
    if (BLOCKS.has(tag)) this.#write('\n')
    else this.#isJoint = true
    const names = this.#styles.isEmpty ? NO_NAMES : selectorNames(tag, attributes)
    this.#head(tag, attributes)
    this.#note(tag, attributes)
    const frame = this.#frame(tag, attributes, names)
    const href = attributes.href ?? attributes['xlink:href'] ?? (tag === 'form' ? attributes.action : undefined)
    if (href !== undefined && LINKING.has(tag)) this.#link(frame, href, attributes.rel ?? '')
    if (attributes.src && /[?&=][^?&=]*(?:@|%40)/.test(attributes.src)) this.page.queries.push(attributes.src)
    if (VOID.has(tag)) {
      this.#cards.begin(attributes, this.#length)
      // A picture of the sign stands for the sign.
      if (tag === 'img' && /^\s*[[({]?\s*(@|at|ät)\s*[\])}]?\s*$/i.test(attributes.alt ?? ''))
        this.#write(attributes.alt ?? '')
      return
    }
    const card = this.#cards.begin(attributes, this.#length)
    if (card) frame.card = card
    this.#stack.push(frame)
    if (names !== NO_NAMES) {
      this.#write(this.#generated(this.#styles.before, names, attributes))
      frame.after = this.#generated(this.#styles.after, names, attributes)
    }
    if (frame.silent) this.#silent = []
  }

  /** What an element says of the whole page. */
  #head(tag: string, attributes: Record<string, string>): void {
    if (tag === 'meta') this.#meta(attributes)
    else if (tag === 'base' && attributes.href) this.base = URL.parse(attributes.href, this.base)?.href ?? this.base
    else if (tag === 'html') this.page.lang = attributes.lang ?? attributes['xml:lang'] ?? this.page.lang
    else if (tag === 'link' && /\bcanonical\b/i.test(attributes.rel ?? '')) this.page.canonical = attributes.href ?? ''
    else if (tag === 'script') this.#scriptType = (attributes.type ?? '').toLowerCase()
  }

  #frame(tag: string, attributes: Record<string, string>, names: string[]): Frame {
    const parent = this.#top
    const own = attributes.style ? readStyle(attributes.style) : undefined
    const hidden =
      parent?.hidden ||
      own?.hidden ||
      attributes.hidden !== undefined ||
      names.some((name) => this.#styles.hidden.has(name))
    const reversed =
      parent?.reversed ||
      own?.reversed ||
      names.some((name) => this.#styles.reversed.has(name)) ||
      (tag === 'bdo' && attributes.dir?.toLowerCase() === 'rtl')
    return {
      tag,
      hidden: Boolean(hidden),
      reversed: Boolean(reversed),
      silent: SILENT.has(tag),
      after: '',
      from: this.#pieces.length,
    }
  }

  text(text: string): void {
    const top = this.#top
    if (top?.silent) this.#silent.push(text)
    else this.#write(text)
  }

  close(tag: string): void {
    if (VOID.has(tag)) return
    while (this.#stack.length > 0) {
      const frame = this.#top as Frame
      if (frame.after) this.#write(frame.after)
      if (frame.silent) this.#endSilent(frame.tag)
      if (frame.link) this.#endLink(frame)
      if (frame.card) this.#cards.end(frame.card, this.#since(frame.from), this.#length)
      this.#stack.pop()
      if (frame.reversed && !this.#top?.reversed) {
        this.page.reversed.push(this.#turned.join(''))
        this.#turned = []
        this.#write('\n')
      }
      if (BLOCKS.has(frame.tag)) this.#write('\n')
      else this.#isJoint = true
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
    if (name === 'og:locale') this.page.localeRegion = /^[a-z]{2}[_-]([A-Z]{2})$/.exec(content)?.[1] ?? ''
    if (name === 'geo.region' || name === 'geo.country') this.page.country ||= content.slice(0, 2)
  }

  #note(tag: string, attributes: Record<string, string>): void {
    let data = 0
    for (const name in attributes) {
      const value = attributes[name]
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
      if (value.length < 20_000 && this.page.attributes.length < MAX_ATTRIBUTES)
        this.page.attributes.push({ tag, name, value })
    }
    if (data > 1 && this.page.spread.length < 5_000) this.page.spread.push(attributes)
  }

  #link(frame: Frame, given: string, rel: string): void {
    const href = given.replace(/^[\s\p{Cc}]+/u, '')
    if (/^[a-z][a-z0-9+.-]*:/i.test(href) && !/^https?:/i.test(href)) {
      frame.link = { index: this.page.actions.length, kind: 'action' }
      this.page.actions.push({ href, text: '', at: this.#length })
      return
    }
    const url = URL.parse(href, this.base)
    if (/[?&=][^?&=]*(?:@|%40)/.test(href)) this.page.queries.push(href)
    // Forms are no pages to go to.
    if (frame.tag !== 'a' && frame.tag !== 'area') return
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return
    frame.link = { index: this.page.links.length, kind: 'link' }
    this.page.links.push({
      url: url.href,
      nofollow: /\b(nofollow|ugc|sponsored)\b/i.test(rel),
      text: '',
    })
  }

  #endLink({ link, from }: Frame): void {
    const words = link?.kind === 'link' ? this.page.links[link.index] : this.page.actions[link?.index ?? -1]
    if (words) words.text = this.#since(from).slice(0, 100)
  }

  #endSilent(tag: string): void {
    const content = this.#silent.join('')
    this.#silent = []
    if (tag === 'title' && !this.page.title) this.page.title = content.replace(/\s+/g, ' ').trim().slice(0, 300)
    else if (tag === 'style') readSheet(this.#styles, content)
    else if (tag === 'script') this.#endScript(content)
  }

  #endScript(content: string): void {
    if (/ld\+json/.test(this.#scriptType)) this.page.jsonLd.push(content)
    else if (/vcard|template|html|text\/plain|markdown/.test(this.#scriptType)) this.page.templates.push(content)
    else this.page.scripts.push(content)
  }

  end(): PageContent {
    while (this.#stack.length > 0) this.close((this.#top as Frame).tag)
    this.page.text = this.#pieces.join('')
    this.page.cards = this.#cards.done
    this.page.country ||= this.#cards.country
    return this.page
  }
}

/** Reads HTML in one pass. `url` is where it was found; broken HTML is read as browsers forgive it. */
export function readPage(html: string, url: string): PageContent {
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
