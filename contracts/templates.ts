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
  /** The author's own plain text; empty: it is made from the letter. */
  text: z.string(),
  /** Counts the changes. Given with a change, it keeps two tabs from overwriting each other. */
  version: z.number().int(),
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
  text: Source,
}

const Rendered = z.object({
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  problems: z.array(TemplateProblem),
  /** For whom it was rendered; null is a made-up person. */
  recipient: z.object({ email: z.string(), name: z.string() }).nullable(),
  /** How many people the list has, when one of a list was asked for. */
  total: z.number().int().nullable(),
})

/** For whom a letter is rendered: a contact, or the nth confirmed person of a list. */
const Reader = {
  contactId: Id.optional(),
  listId: Id.optional(),
  nth: z.number().int().min(1).max(10_000_000).optional(),
}

const Version = z.object({
  id: Id,
  version: z.number().int(),
  name: z.string(),
  subject: z.string(),
  at: Moment,
})
const VersionParams = z.object({ id: Id, versionId: Id })

export const templates = {
  list: endpoint('GET /api/templates', 'user', {
    summary: 'All templates',
    query: PageQuery,
    answer: PageOf(Template.omit({ html: true, mjml: true, text: true, problems: true })),
  }),
  create: endpoint('POST /api/templates', 'user', {
    summary: 'Make a template, from JSON or from an uploaded file',
    status: 201,
    multipart:
      'file: an .html or .mjml file, or a .zip of one with its pictures; name, subject (optional). Pictures go to the library',
    body: z.strictObject({
      name: Fields.name,
      channel: z.literal('email').default('email'),
      subject: Fields.subject.default(''),
      html: Fields.html.default(''),
      mjml: Fields.mjml.default(''),
      text: Fields.text.default(''),
      /** The id of a starter to begin with, in the workspace's colours and fonts; its content and subject count then. */
      starter: z.string().max(60).optional(),
    }),
    answer: Template,
  }),
  get: endpoint('GET /api/templates/:id', 'user', { summary: 'One template', params: IdParams, answer: Template }),
  update: endpoint('PATCH /api/templates/:id', 'user', {
    summary: 'Change a template; with `version`, only if nobody changed it since (409 version_conflict)',
    params: IdParams,
    body: z.strictObject({
      name: Fields.name.optional(),
      channel: z.literal('email').optional(),
      subject: Fields.subject.optional(),
      html: Fields.html.optional(),
      mjml: Fields.mjml.optional(),
      text: Fields.text.optional(),
      version: z.number().int().positive().optional(),
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
    body: z.strictObject(Reader).default({}),
    answer: Rendered,
  }),
  draftPreview: endpoint('POST /api/templates/preview', 'user', {
    summary: 'Render what is being written, without saving it',
    body: z.strictObject({
      subject: Fields.subject.default(''),
      html: Fields.html.default(''),
      mjml: Fields.mjml.default(''),
      text: Fields.text.default(''),
      ...Reader,
    }),
    answer: Rendered,
  }),
  canvas: endpoint('POST /api/templates/canvas', 'user', {
    summary: 'MJML as HTML with its Liquid left in, for the visual editor',
    body: z.strictObject({ mjml: Fields.mjml }),
    answer: z.object({ html: z.string(), problems: z.array(TemplateProblem) }),
  }),
  versions: endpoint('GET /api/templates/:id/versions', 'user', {
    summary: 'States the template had, newest first; the last twenty are kept',
    params: IdParams,
    answer: z.object({ items: z.array(Version), nextCursor: z.null() }),
  }),
  showVersion: endpoint('GET /api/templates/:id/versions/:versionId', 'user', {
    summary: 'One state the template had',
    params: VersionParams,
    answer: Version.extend({ html: z.string(), mjml: z.string(), text: z.string() }),
  }),
  restore: endpoint('POST /api/templates/:id/versions/:versionId/restore', 'user', {
    summary: 'Go back to a state; the one it has now is kept among the versions',
    params: VersionParams,
    answer: Template,
  }),
  export: endpoint('GET /api/templates/:id/export', 'user', {
    summary: 'The template as a file: html, mjml, or a zip of it with its pictures',
    params: IdParams,
    query: z.object({ format: z.enum(['html', 'mjml', 'zip']).default('html') }),
    transport: 'file',
  }),
  test: endpoint('POST /api/templates/:id/test', 'user', {
    summary:
      'Send it to your own address through the default sender, as a contact or the nth person of a list would get it',
    params: IdParams,
    body: z.strictObject(Reader).default({}),
    answer: z.object({ ok: z.boolean(), message: z.string() }),
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
          /** Its own colour, in whose place a workspace's main colour is put; empty for plain letters. */
          accent: z.string(),
        }),
      ),
      nextCursor: z.null(),
    }),
  }),
}
