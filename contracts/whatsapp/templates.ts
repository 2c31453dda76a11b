import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { formFile } from '#contracts/form-file.ts'
import { Empty, Id, IdParams, Moment, PageOf, PageQuery } from '#contracts/values.ts'

export const TemplateButton = z.object({
  type: z.enum(['quick_reply', 'url', 'phone', 'copy_code', 'other']),
  text: z.string(),
  /** Of a url: where it leads, with {{1}} at the end when it takes a value. */
  url: z.string().nullable(),
  phone: z.string().nullable(),
})
export type TemplateButton = z.infer<typeof TemplateButton>

/** A variable a campaign or a reply has to fill. */
export const TemplateVariable = z.object({
  /** What `variables` of a message is keyed by: `header`, `body.1`, `body.first_name`, `button.0`. */
  key: z.string(),
  /** media: an image, video or document by its address. */
  kind: z.enum(['text', 'media']),
  example: z.string(),
})
export type TemplateVariable = z.infer<typeof TemplateVariable>

export const WhatsAppTemplate = z.object({
  id: Id,
  businessAccountId: z.string(),
  name: z.string(),
  language: z.string(),
  category: z.string(),
  /** Meta's word; only APPROVED may be sent. */
  status: z.string(),
  sendable: z.boolean(),
  /** Why Meta refused or paused it; empty otherwise. */
  reason: z.string(),
  /** What people's blocks and reports made of it lately, as Meta says it; a red one is paused next. */
  quality: z.enum(['green', 'yellow', 'red', 'unknown']),
  header: z.object({ format: z.enum(['text', 'image', 'video', 'document', 'location']), text: z.string() }).nullable(),
  body: z.string(),
  footer: z.string(),
  buttons: z.array(TemplateButton),
  variables: z.array(TemplateVariable),
  syncedAt: Moment,
  createdAt: Moment,
})
export type WhatsAppTemplate = z.infer<typeof WhatsAppTemplate>

const Example = z.string().trim().min(1, 'needs an example').max(200)
const NewButton = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('quick_reply'), text: z.string().trim().min(1).max(25) }),
  z.strictObject({
    type: z.literal('url'),
    text: z.string().trim().min(1).max(25),
    /** May end with {{1}}; `example` is then the whole address with a value. */
    url: z.string().trim().max(2_000),
    example: z.string().trim().max(2_000).optional(),
  }),
  z.strictObject({
    type: z.literal('phone'),
    text: z.string().trim().min(1).max(25),
    phone: z.string().regex(/^\+[1-9]\d{6,14}$/, 'is not a number in international form'),
  }),
])

/** The head of a new template: a bold line, or a file of the kind that every message will carry another of. */
export const NewHeader = z.discriminatedUnion('format', [
  z.strictObject({
    format: z.literal('text'),
    text: z.string().trim().min(1).max(60),
    /** Needed where the text has a variable. */
    example: Example.optional(),
  }),
  z.strictObject({
    format: z.enum(['image', 'video', 'document']),
    /** Of POST /api/whatsapp/templates/media: the sample Meta's reviewers look at. */
    handle: z
      .string()
      .min(1, 'is required')
      .max(4_000, 'is not an uploaded sample')
      .regex(/^[\x21-\x7e]*$/, 'is not an uploaded sample'),
  }),
])
export type NewHeader = z.infer<typeof NewHeader>

export const NewTemplate = z.strictObject({
  accountId: Id,
  name: z
    .string()
    .trim()
    .regex(/^[a-z0-9_]{1,512}$/, 'must have only lowercase letters, digits and _'),
  language: z.string().regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, 'is a language such as en or en_US'),
  category: z.enum(['MARKETING', 'UTILITY']),
  header: NewHeader.optional(),
  /** Variables are {{1}}, {{2}} … or {{first_name}} …, one way throughout. */
  body: z.string().trim().min(1, 'is required').max(1_024, 'has at most 1,024 characters'),
  /** An example for each variable of the body, by its name or number. */
  examples: z.record(z.string(), Example).default({}),
  footer: z.string().trim().max(60).default(''),
  buttons: z.array(NewButton).max(10, 'are at most 10').default([]),
})

const MB = 1024 * 1024
/** Content types Meta takes as the sample of a header, and bytes of each at most. */
export const SAMPLE_LIMITS = {
  'image/jpeg': 5 * MB,
  'image/png': 5 * MB,
  'video/mp4': 16 * MB,
  'application/pdf': 100 * MB,
}
/** The text of the 415 for any other sample. */
export const UNSUITED_SAMPLE = 'A header takes an image (JPEG, PNG), a video (MP4) or a document (PDF).'

export const whatsappTemplates = {
  list: endpoint('GET /api/whatsapp/templates', 'user', {
    refusals: [404],
    summary: 'List templates as last synced from Meta; `accountId` limits them to one number',
    query: PageQuery.extend({ accountId: Id.optional(), status: z.string().max(40).optional() }),
    response: PageOf(WhatsAppTemplate),
  }),
  get: endpoint('GET /api/whatsapp/templates/:id', 'user', {
    summary: 'Get a template',
    params: IdParams,
    response: WhatsAppTemplate,
  }),
  create: endpoint('POST /api/whatsapp/templates', 'user', {
    refusals: [409],
    summary: 'Submit a template to Meta for review; its status changes by webhook',
    status: 201,
    rules:
      'Variables of the body are numbered 1, 2, 3 without a gap, or all have names; words stand around each, and each has its example. A text header has one variable at most, a footer none. Two buttons at most are of type `url` and one of type `phone`, and those of type `quick_reply` stand together.',
    body: NewTemplate,
    response: WhatsAppTemplate,
  }),
  upload: endpoint('POST /api/whatsapp/templates/media', 'user', {
    refusals: [409],
    summary:
      'Upload the sample of a media header to Meta: JPEG or PNG of 5 MB, MP4 of 16 MB, PDF of 100 MB. 413 and 415 name `file`',
    status: 201,
    query: z.object({ accountId: Id }),
    form: z.strictObject({
      file: formFile('The sample', {
        max: SAMPLE_LIMITS,
        missing: 'is required',
        tooLarge: (limit) =>
          `The file is larger than WhatsApp takes: ${limit / MB} MB at most for this kind. Nothing was sent.`,
        wrongType: UNSUITED_SAMPLE,
      }),
    }),
    response: z.object({
      /** For `header.handle` of a new template. */
      handle: z.string(),
      format: z.enum(['image', 'video', 'document']),
      fileName: z.string(),
      size: z.number().int(),
    }),
  }),
  sync: endpoint('POST /api/whatsapp/templates/sync', 'user', {
    refusals: [404, 409],
    summary: 'Sync all templates of a number’s business account from Meta',
    body: z.strictObject({ accountId: Id }),
    response: z.object({ found: z.number().int(), added: z.number().int(), removed: z.number().int() }),
  }),
  remove: endpoint('DELETE /api/whatsapp/templates/:id', 'user', {
    refusals: [409],
    summary: 'Delete a template at Meta, in this language',
    params: IdParams,
    response: Empty,
  }),
}
