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
    lead: 'Enter public web pages to find the email addresses on them, with the source page of each.',
    one: 'address',
    many: 'addresses',
    icon: ScanSearch,
    fileName: 'addresses',
  },
  phone: {
    kind: 'phone',
    path: '/number-scraper',
    title: 'Number Scraper',
    lead: 'The real-time analyst. Enter public web pages to find the phone numbers on them, validated, with country and source.',
    one: 'number',
    many: 'numbers',
    icon: Phone,
    fileName: 'numbers',
  },
}

/** The wording of the page at this path. */
export const wordingAt = (path: string): Wording =>
  path.startsWith('/number-scraper') ? wordings.phone : wordings.email
