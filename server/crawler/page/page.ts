import type { Link } from '../types.ts'
import type { Card } from './cards.ts'

/** An attribute that may hold a contact. */
export interface Attribute {
  tag: string
  name: string
  value: string
}

/** All an extractor and a crawler need of a page, read in one pass. */
export interface PageContent {
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
  /** The country its mark-up names (addressCountry, geo.region), as written. */
  country: string
  /** The region of its language, of og:locale: of sites that never set it, it is US. */
  localeRegion: string
  /** People and organizations, and which part of the text is theirs. */
  cards: Card[]
}

/** A page nothing was read of yet. */
export const emptyPage = (): PageContent => ({
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
  country: '',
  localeRegion: '',
  cards: [],
})
