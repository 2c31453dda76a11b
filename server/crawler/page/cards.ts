/** Whose contacts stand in a part of the page, as its mark-up says: microdata, RDFa, hCard and h-card. */
export interface Card {
  name: string
  organization: string
  country: string
  /** The part of Page.text it covers. */
  from: number
  to: number
}

type Property = 'name' | 'organization' | 'country'

/** A card that is still open, and the element's place in the nesting. */
interface Open extends Card {
  isPerson: boolean
  isImplied: boolean
  /** Of a firm inside a person's card: it is whom the person works for. */
  isEmployer: boolean
}

/** Types of schema.org that are neither people nor organizations: what is in them belongs to whom they are in. */
export const THING =
  /web|page|article|posting|product|offer|list|image|video|media|rating|review|address|contactpoint|geo|event|thing|question|answer|recipe|wp(?:header|footer|sidebar)|navigation|creativework|comment|action|specification|quantity|place$|book|movie|course/i
const PROPERTY: Record<string, Property> = {
  name: 'name',
  legalname: 'name',
  fn: 'name',
  'p-name': 'name',
  org: 'organization',
  'p-org': 'organization',
  'p-organization': 'organization',
  'organization-name': 'organization',
  worksfor: 'organization',
  affiliation: 'organization',
  addresscountry: 'country',
  'country-name': 'country',
  'p-country-name': 'country',
}
const MAX_CARDS = 300
const MAX_NAME = 120

const tokens = (text: string | undefined) => (text ? text.toLowerCase().split(/\s+/) : [])

function findProperty(attributes: Record<string, string>): Property | undefined {
  const stated = [
    ...tokens(attributes.itemprop),
    ...tokens(attributes.property).map((name) => name.replace(/^\w+:/, '')),
  ]
  for (const name of [...stated, ...tokens(attributes.class)]) {
    const property = Object.hasOwn(PROPERTY, name) ? PROPERTY[name] : undefined
    if (property) return property
  }
  return undefined
}

/** What an element does to the cards of its page; the reader gives it back when the element ends. */
export interface CardMark {
  opened: boolean
  property: Property | undefined
}

/** Keeps the cards of a page while it is read. */
export class Cards {
  readonly done: Card[] = []
  /** The first country that any of them names. */
  country = ''
  readonly #open: Open[] = []

  /** `at`: length of the text so far. undefined: the element says nothing of cards. */
  begin(attributes: Record<string, string>, at: number): CardMark | undefined {
    const isHCard = attributes.class !== undefined && /(?:^|\s)(?:vcard|h-card)(?:\s|$)/.test(attributes.class)
    const type = attributes.itemscope === undefined ? attributes.typeof : (attributes.itemtype ?? '')
    const isItem = type !== undefined && !THING.test(type.replace(/^.*[/:#]/, ''))
    if (!isHCard && !isItem && this.#open.length === 0) return undefined
    const property = this.#open.length > 0 ? findProperty(attributes) : undefined
    const opened = (isHCard || isItem) && this.done.length + this.#open.length < MAX_CARDS
    if (opened)
      this.#open.push({
        name: '',
        organization: '',
        country: '',
        from: at,
        to: at,
        isPerson: isHCard || /person/i.test(type ?? ''),
        isImplied: isHCard,
        isEmployer: property === 'organization',
      })
    else if (property && attributes.content) this.#set(property, attributes.content)
    return opened || property ? { opened, property } : undefined
  }

  /** `text`: what the element held. */
  end({ opened, property }: CardMark, text: string, at: number): void {
    if (!opened) {
      if (property) this.#set(property, text)
      return
    }
    const card = this.#open.pop()
    if (!card) return
    const parent = this.#open.at(-1)
    // The whole of a small h-card is the name.
    if (!card.name && card.isImplied && text.length < 60 && !/[@\d]/.test(text)) card.name = clean(text)
    if (!card.isPerson) card.organization ||= card.name
    if (card.isPerson && card.name === card.organization) card.isPerson = false
    if (card.isEmployer && parent) parent.organization ||= card.name
    card.organization ||= parent?.organization || (parent?.isPerson ? '' : parent?.name) || ''
    card.to = at
    if (card.name || card.organization)
      this.done.push({
        name: card.name,
        organization: card.organization,
        country: card.country,
        from: card.from,
        to: at,
      })
  }

  #set(property: Property, text: string): void {
    const card = this.#open.at(-1)
    if (card) card[property] ||= clean(text)
    if (property === 'country') this.country ||= clean(text)
  }
}

const clean = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME)

const MAX_VCARD_LENGTH = 5_000

/** Names and lines of the vCards (RFC 6350) in a text. */
export function vCardsIn(text: string): { name: string; organization: string; text: string }[] {
  if (!text.includes('BEGIN:VCARD')) return []
  const cards: string[] = []
  for (let at = 0; cards.length < MAX_CARDS; ) {
    const begin = text.indexOf('BEGIN:VCARD', at)
    const end = begin < 0 ? -1 : text.indexOf('END:VCARD', begin)
    if (end < 0) break
    cards.push(text.slice(Math.max(text.lastIndexOf('BEGIN:VCARD', end), end - MAX_VCARD_LENGTH), end))
    at = end
  }
  return cards.map((lines) => ({
    name: clean(/^FN[^:\n]*:(.+)$/m.exec(lines)?.[1] ?? ''),
    organization: clean((/^ORG[^:\n]*:(.+)$/m.exec(lines)?.[1] ?? '').replaceAll(';', ' ')),
    text: lines,
  }))
}
