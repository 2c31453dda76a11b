/** Reading public pages: what stands on them to write to or to call. Knows no HTTP routes and no tables. */
import { findEmails } from './email/emails.ts'
import { readPage } from './page/read.ts'
import { findPhones } from './phone/phones.ts'
import type { Finding } from './types.ts'

export { createCrawler } from './crawl/crawler.ts'
export type * from './crawl/types.ts'
export { startPages } from './frontier/scope.ts'
export type { Finding, Method } from './types.ts'

/**
 * E-mail addresses and telephone numbers of a page. `url`: where it was found; `country`: of its national numbers, when
 * known; `kinds`: what is looked for, both when not said.
 */
export function extractContacts(
  html: string,
  options: { url: string; country?: string; kinds?: Finding['kind'][] },
): Finding[] {
  const { url, country, kinds = ['email', 'phone'] } = options
  const page = readPage(html, url)
  return [
    ...(kinds.includes('email') ? findEmails(page) : []),
    ...(kinds.includes('phone') ? findPhones(page, url, country) : []),
  ]
}
