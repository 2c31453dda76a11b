import { gmail } from '#contracts/gmail/gmail.ts'
import { api } from '#web/api.ts'

/** Leads the browser to Google's consent page; it comes back to /gmail-sender/accounts. The promise stays open, because the page is left. */
export async function toConsent(body: { reads: boolean; senderId?: string }): Promise<never> {
  const { url } = await api(gmail.connect, { body })
  window.location.assign(url)
  return new Promise<never>(() => {})
}
