import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'
import { Optin } from './lists.ts'

/** Forms of a workspace at most. */
export const MAX_FORMS = 100
/** Fields of a form at most, beside the email address. */
export const MAX_FORM_FIELDS = 10

const Text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    .regex(/^[^\u0000-\u0009\u000b-\u001f\u007f]*$/, 'has control characters')

const Slug = z
  .string()
  .trim()
  .toLowerCase()
  .min(3)
  .max(60)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'is not made of letters, digits and single hyphens, such as summer-news')

export const FormField = z.strictObject({
  /** What the answer is stored as. */
  name: z
    .string()
    .regex(
      /^(?:name|first_name|last_name|attributes\.(?!__proto__$)[\p{L}\p{N}_ .-]{1,64})$/u,
      'is not name, first_name, last_name or attributes. with the name of a custom field',
    ),
  label: Line(100).min(1, 'is required'),
  required: z.boolean().default(false),
})
export type FormField = z.output<typeof FormField>

const Fields = z
  .array(FormField)
  .max(MAX_FORM_FIELDS)
  .refine((fields) => new Set(fields.map(({ name }) => name)).size === fields.length, 'has the same field twice')

const WebUrl = z
  .url({ protocol: /^https?$/, error: 'is not a web address, such as https://example.com/thanks' })
  .max(2_000)

const Origin = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(200)
  .refine(
    (text) => /^https?:\/\//.test(text) && URL.parse(text)?.origin === text,
    'is not an origin, such as https://example.com: without a path and a slash at the end',
  )

const shape = {
  name: Line(120).min(1, 'is required'),
  slug: Slug.describe('The end of its address, unique over the installation; made of the name where it is omitted'),
  heading: Line(120),
  description: Text(1_000),
  button: Line(60).min(1, 'is required'),
  fields: Fields.describe('What is asked beside the email address, which always is'),
  lists: z.array(Id).min(1, 'needs at least one list').max(20),
  tags: z.array(Id).max(20),
  optin: Optin.describe('double also applies where one of the lists is double opt-in'),
  consentWording: Text(2_000).describe('What people agree to; a change makes a new version'),
  successText: Text(1_000),
  redirectUrl: WebUrl.nullable().describe('Where people go after they signed up; null is a page of Postlark'),
  allowedOrigins: z
    .array(Origin)
    .max(20)
    .describe('Sites whose scripts may post the form: CORS allows exactly these origins'),
  proofOfWork: z
    .boolean()
    .describe(
      'Whether a browser has to solve a challenge of GET /f/{slug}/challenge (Altcha) before it can send the form',
    ),
}

export const Form = z.object({
  id: Id,
  ...shape,
  fields: z.array(z.object({ name: z.string(), label: z.string(), required: z.boolean() })),
  redirectUrl: z.string().nullable(),
  wordingVersion: z.number().int(),
  /** The hosted page. */
  url: z.string(),
  /** For a website: plain HTML, and a script that makes the same form. */
  embed: z.object({ html: z.string(), script: z.string() }),
  /** How often the page was opened, by programs too; it lags a few seconds. */
  views: z.number().int(),
  submissions: z.number().int(),
  confirmations: z.number().int(),
  createdAt: Moment,
  updatedAt: Moment,
})
export type Form = z.infer<typeof Form>

const RULES = 'The lists and tags exist, and no other form has the slug.'

export const forms = {
  list: endpoint('GET /api/forms', 'user', {
    summary: 'List sign-up forms, in the order they were made',
    query: PageQuery,
    response: PageOf(Form),
  }),
  create: endpoint('POST /api/forms', 'user', {
    refusals: [409],
    summary: 'Create a sign-up form with a hosted page at /f/{slug}',
    rules: RULES,
    status: 201,
    body: z.strictObject({
      ...shape,
      slug: shape.slug.optional(),
      heading: shape.heading.default(''),
      description: shape.description.default(''),
      button: shape.button.default('Subscribe'),
      fields: shape.fields.default([]),
      tags: shape.tags.default([]),
      optin: shape.optin.default('double'),
      consentWording: shape.consentWording.default(''),
      successText: shape.successText.default(''),
      redirectUrl: shape.redirectUrl.default(null),
      allowedOrigins: shape.allowedOrigins.default([]),
      proofOfWork: shape.proofOfWork.default(false),
    }),
    response: Form,
  }),
  get: endpoint('GET /api/forms/:id', 'user', { summary: 'Get a sign-up form', params: IdParams, response: Form }),
  update: endpoint('PATCH /api/forms/:id', 'user', {
    refusals: [409],
    summary: 'Update a sign-up form',
    rules: RULES,
    params: IdParams,
    body: z.strictObject(shape).partial(),
    response: Form,
  }),
  remove: endpoint('DELETE /api/forms/:id', 'user', {
    summary: 'Delete a sign-up form; its contacts and their consent stay',
    params: IdParams,
    response: Empty,
  }),
}
