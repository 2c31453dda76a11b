import type { Page } from 'playwright-core'

/** What is returned in place of the server. */
export interface Reply {
  status: number
  body: string
  contentType?: string
}

export const json = (body: unknown) => ({ contentType: 'application/json', body: JSON.stringify(body) })

/** Returns a call of `/api/auth` in place of the server; null is a server that is not there. */
export const replyTo = (page: Page, path: string, given: Reply | null) =>
  page.route(`**/api/auth/${path}`, (route) => (given ? route.fulfill(given) : route.abort()))
