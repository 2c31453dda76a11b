import { z } from 'zod'
import { Id, Moment } from '#contracts/values.ts'

const Key = z.string().regex(/^(header|body\.\w{1,64}|button\.\d{1,2})$/, 'is not a variable of a template')
/** The value of one variable of a WhatsApp template (TemplateVariable.key). */
export const WhatsAppValue = z.discriminatedUnion('from', [
  /** The same for everybody; of a media header an https address. */
  z.strictObject({ from: z.literal('text'), text: z.string().trim().max(2_000) }),
  /** Of the contact: name, first_name (as stored, or else the name's first word), email, phone or attributes.company; `fallback` where they have none. */
  z.strictObject({
    from: z.literal('field'),
    field: z.string().regex(/^(name|first_name|email|phone|attributes\.\P{Cc}{1,64})$/u, 'is not a field of a contact'),
    fallback: z.string().trim().max(200).default(''),
  }),
  /** Of a media header: a file of POST /api/whatsapp/media, which Meta keeps for 30 days. */
  z.strictObject({
    from: z.literal('media'),
    mediaId: z.string().regex(/^\d{1,40}$/, 'is not an uploaded file'),
    fileName: z.string().trim().max(240).default(''),
  }),
])
export type WhatsAppValue = z.infer<typeof WhatsAppValue>

/** What a WhatsApp campaign says: through which number, which template (a row is one language), and the values of its variables. */
export const WhatsAppContent = z.strictObject({
  /** Of GET /api/whatsapp/accounts. */
  accountId: Id.nullable().default(null),
  /** Of GET /api/whatsapp/templates; it must be of the same business account. */
  templateId: Id.nullable().default(null),
  /** By TemplateVariable.key: header, body.1, body.first_name, button.0. */
  variables: z.record(Key, WhatsAppValue).default({}),
})
export type WhatsAppContent = z.infer<typeof WhatsAppContent>

const count = z.number().int()

/** What Meta told of the messages of a WhatsApp campaign (DeliveryCounts). `replied`: people who wrote within 72 hours, opt-outs aside. */
export const Delivery = z.object({ tried: count, delivered: count, read: count, failed: count, replied: count })

/** The fields only a WhatsApp campaign has. */
export const OfWhatsApp = {
  /** What it says. */
  whatsapp: WhatsAppContent,
  /** The template as it is now; null when none or gone. */
  whatsappTemplate: z
    .object({ id: Id, name: z.string(), language: z.string(), category: z.string(), status: z.string() })
    .nullable(),
  delivery: Delivery,
}

/** The same of campaigns over other channels. */
export const NotWhatsApp = { whatsapp: z.null(), whatsappTemplate: z.null(), delivery: z.null() }

/** The fields only its messages have, null for those of other channels. */
export const MessageOfWhatsApp = {
  /** Meta tells nothing of reading where the person switched it off. */
  deliveredAt: Moment.nullable(),
  readAt: Moment.nullable(),
  /** Meta's code of what went wrong. */
  errorCode: count.nullable(),
}
