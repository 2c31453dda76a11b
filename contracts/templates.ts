import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from './values.ts'

/** Something in a template that a person should know: an unknown field, a syntax error, a missing unsubscribe link. */
export const TemplateProblem = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  line: z.number().int().nullable(),
})
export type TemplateProblem = z.infer<typeof TemplateProblem>

/** Bytes of one template's source, at most. */
export const TEMPLATE_LIMIT = 1024 * 1024

export const Template = z.object({
  id: Id,
  name: z.string(),
  channel: z.literal('email'),
  subject: z.string(),
  html: z.string(),
  mjml: z.string(),
  problems: z.array(TemplateProblem),
  createdAt: Moment,
  updatedAt: Moment,
})
export type Template = z.infer<typeof Template>

const Source = z.string().max(TEMPLATE_LIMIT, 'is larger than 1 MB')
const Fields = {
  name: Line(120).min(1, 'is required'),
  subject: Line(300),
  html: Source,
  mjml: Source,
}

const Rendered = z.object({
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  problems: z.array(TemplateProblem),
})

export const templates = {
  list: endpoint('GET /api/templates', 'user', {
    summary: 'All templates',
    query: PageQuery,
    answer: PageOf(Template.omit({ html: true, mjml: true, problems: true })),
  }),
  create: endpoint('POST /api/templates', 'user', {
    summary: 'Make a template, from JSON or from an uploaded file',
    status: 201,
    multipart: 'file: an .html or .mjml file; name, subject (optional)',
    body: z.strictObject({
      name: Fields.name,
      channel: z.literal('email').default('email'),
      subject: Fields.subject.default(''),
      html: Fields.html.default(''),
      mjml: Fields.mjml.default(''),
    }),
    answer: Template,
  }),
  get: endpoint('GET /api/templates/:id', 'user', { summary: 'One template', params: IdParams, answer: Template }),
  update: endpoint('PATCH /api/templates/:id', 'user', {
    summary: 'Change a template',
    params: IdParams,
    body: z.strictObject({
      name: Fields.name.optional(),
      channel: z.literal('email').optional(),
      subject: Fields.subject.optional(),
      html: Fields.html.optional(),
      mjml: Fields.mjml.optional(),
    }),
    answer: Template,
  }),
  remove: endpoint('DELETE /api/templates/:id', 'user', {
    summary: 'Remove a template; campaigns that were sent keep their content',
    params: IdParams,
    answer: Empty,
  }),
  preview: endpoint('POST /api/templates/:id/preview', 'user', {
    summary: 'Render a saved template for a contact, or for a made-up one',
    params: IdParams,
    body: z.strictObject({ contactId: Id.optional() }).default({}),
    answer: Rendered,
  }),
  draftPreview: endpoint('POST /api/templates/preview', 'user', {
    summary: 'Render what is being written, without saving it',
    body: z.strictObject({
      subject: Fields.subject.default(''),
      html: Fields.html.default(''),
      mjml: Fields.mjml.default(''),
      contactId: Id.optional(),
    }),
    answer: Rendered,
  }),
  starters: endpoint('GET /api/starter-templates', 'public', {
    summary: 'The starter templates that come with Postlark',
    answer: z.object({
      items: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          description: z.string(),
          subject: z.string(),
          html: z.string(),
          mjml: z.string(),
        }),
      ),
      nextCursor: z.null(),
    }),
  }),
}
