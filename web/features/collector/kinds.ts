import { Phone, ScanSearch } from 'lucide-react'
import type { CollectorKind } from '#contracts/collector/collector.ts'

/** One set of screens, two wordings. */
export interface Wording {
  kind: CollectorKind
  path: '/email-scraper' | '/number-scraper'
  title: string
  /** One sentence under the title of the start page. */
  lead: string
  one: string
  many: string
  icon: typeof Phone
  fileName: string
}

export const wordings: Record<CollectorKind, Wording> = {
  email: {
    kind: 'email',
    path: '/email-scraper',
    title: 'Email Scraper',
    lead: 'Find email addresses on public web pages, each with its source page.',
    one: 'address',
    many: 'addresses',
    icon: ScanSearch,
    fileName: 'addresses',
  },
  phone: {
    kind: 'phone',
    path: '/number-scraper',
    title: 'Number Scraper',
    lead: 'Find phone numbers on public web pages in real time, each validated, with its country, type and source page.',
    one: 'number',
    many: 'numbers',
    icon: Phone,
    fileName: 'numbers',
  },
}

/** The wording of the page at this path. */
export const wordingAt = (path: string): Wording =>
  path.startsWith('/number-scraper') ? wordings.phone : wordings.email
