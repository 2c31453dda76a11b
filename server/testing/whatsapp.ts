import { createHmac } from 'node:crypto'
import { type Deed, sandboxWhatsApp } from '#contracts/sandbox/whatsapp.ts'
import { whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import type { Person, TestApp } from './app.ts'

export { until } from './until.ts'

let counter = 0

/** What the new business is like at the emulator. */
type Traits = { tier?: string; perSecond?: number; troubled?: number; portfolioOf?: string }

/** The emulator for WhatsApp through the sandbox's own API, as an admin of the installation. */
export async function whatsAppWorld(t: TestApp) {
  const admin = await t.person({ role: 'admin' })

  return {
    admin,
    /** A new business with a number, as Meta would show it. */
    business: (name = `Business ${++counter}`, traits: Traits = {}) =>
      admin.api(sandboxWhatsApp.addNumber, { body: { name, ...traits } }),
    /** The same, connected in this person's workspace. */
    async connect(person: Person, traits: Traits = {}) {
      const number = await this.business(undefined, traits)
      const { phoneNumberId, businessAccountId, accessToken, appSecret } = number
      const account = await person.api(whatsappNumbers.create, {
        body: { phoneNumberId, businessAccountId, accessToken, appSecret },
      })
      return { number, account }
    },
    /** The person with this number (digits) does something. */
    act: (number: string, person: string, deed: Deed) =>
      admin.api(sandboxWhatsApp.say, { params: { number, person }, body: { deed } }),
    says: (number: string, person: string, text: string, name = 'Grace') =>
      admin.api(sandboxWhatsApp.say, { params: { number, person }, body: { deed: { act: 'text', text, name } } }),
    chat: async (number: string, person: string) =>
      (await admin.api(sandboxWhatsApp.messages, { params: { number, person } })).items,
  }
}

/** Brings a webhook as Meta does, signed with this secret; `raw` text is sent as it is. */
export function bring(t: TestApp, body: unknown, secret: string, change: { signature?: string } = {}) {
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
  return t.inject({
    method: 'POST',
    url: '/api/whatsapp/webhook',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': change.signature ?? signature },
    payload: raw,
  })
}
