import { z } from 'zod'
import { type CredentialCheck, whatsappNumbers } from '#contracts/whatsapp/numbers.ts'

/** What is typed to connect a number; the contract's own rules. */
export const Typed = whatsappNumbers.create.body
export type Typed = z.input<typeof Typed>

/** What is typed to renew one: an empty field leaves what is stored. */
export const Renewed = z.object({
  name: Typed.shape.name,
  accessToken: z.union([z.literal(''), Typed.shape.accessToken]),
  appSecret: z.union([z.literal(''), Typed.shape.appSecret]),
})
export type Renewed = z.input<typeof Renewed>

export type ValueField = 'phoneNumberId' | 'businessAccountId' | 'accessToken' | 'appSecret'

export const valueFields: { field: ValueField; label: string; hint: string; secret: boolean }[] = [
  { field: 'phoneNumberId', label: 'Phone number ID', hint: 'WhatsApp, API Setup. Digits only.', secret: false },
  { field: 'businessAccountId', label: 'Business account ID', hint: 'Next to the phone number ID.', secret: false },
  {
    field: 'accessToken',
    label: 'Access token',
    hint: 'Of a system user. Stored encrypted and never shown again.',
    secret: true,
  },
  {
    field: 'appSecret',
    label: 'App secret',
    hint: 'App settings, Basic. Stored encrypted and never shown again.',
    secret: true,
  },
]

/** The answer for one value, while it is still the value that was tried. */
export const findCheck = (checks: CredentialCheck[], field: ValueField): CredentialCheck | undefined =>
  checks.find((check) => check.field === field)
