import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { formFile } from '#contracts/form-file.ts'
import { Empty, Id, IdParams, Line, ListOf, Moment, PageOf, PageQuery } from '#contracts/values.ts'

/** Something in a template that a person should know: an unknown field, a syntax error, a missing unsubscribe link. */
export const TemplateProblem = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  line: z.number().int().nullable(),
})
export type TemplateProblem = z.infer<typeof TemplateProblem>

/** What a starter is for. */
export const StarterGroup = z.enum(['newsletter', 'promotion', 'plain', 'transactional'])
export type StarterGroup = z.infer<typeof StarterGroup>

/** Bytes of one template's source, at most. */
export const TEMPLATE_LIMIT = 1024 * 1024
/** Characters of an email in the public demo of the editor, at most. */
const DEMO_LIMIT = 100_000
/** Bytes of an uploaded archive, at most. */
export const ARCHIVE_LIMIT = 20 * 1024 * 1024
/** The text of a 413 for a template, with what to do about it. */
export const TEMPLATE_TOO_LARGE =
  'The template is larger than 1 MB. Email programs cut messages at about 100 kB: keep images out of the file and link to them instead.'

export const Template = z.object({
  id: Id,
  name: z.string(),
  channel: z.literal('email'),
  subject: z.string(),
  html: z.string(),
  mjml: z.string(),
  /** The author's own plain text; empty: it is made from the email. */
  text: z.string(),
  /** Counts the changes. Given with a change, it keeps two tabs from overwriting each other. */
  version: z.number().int(),
  problems: z.array(TemplateProblem),
  createdAt: Moment,
  updatedAt: Moment,
})
export type Template = z.infer<typeof Template>

const Source = z.string().max(TEMPLATE_LIMIT, 'is larger than 1 MB')
/** Without an account an email may be smaller: about three times the largest starter with its images linked. */
const DemoSource = z.string().max(DEMO_LIMIT, 'is larger than 100 kB')
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

/** For whom an email is rendered: a contact, or the nth confirmed person of a list. */
const Reader = {
  contactId: Id.optional(),
  listId: Id.optional(),
  nth: z.number().int().min(1).max(10_000_000).optional(),
}

const Version = z.object({
  id: Id,
  version: z.number().int(),
  /** What its author calls it; empty until it is named. Named versions are retained longer. */
  label: z.string(),
  name: z.string(),
  subject: z.string(),
  at: Moment,
})
const VersionParams = z.object({ id: Id, versionId: Id })

export const templates = {
  list: endpoint('GET /api/templates', 'user', {
    summary: 'List templates',
    query: PageQuery,
    response: PageOf(Template.omit({ html: true, mjml: true, text: true, problems: true })),
  }),
  create: endpoint('POST /api/templates', 'user', {
    refusals: [409],
    summary: 'Create a template from JSON or from an uploaded file',
    status: 201,
    form: z.strictObject({
      file: formFile('An .html or .mjml file, or a .zip of one with its images, which are added to the library', {
        max: ARCHIVE_LIMIT,
        findMax: ({ name }) => (/\.zip$/i.test(name) ? ARCHIVE_LIMIT : TEMPLATE_LIMIT),
        missing: 'is required: choose an .html, .mjml or .zip file',
        tooLarge: (limit) =>
          limit === ARCHIVE_LIMIT
            ? 'The archive is larger than 20 MB. Make its images smaller, then try again.'
            : TEMPLATE_TOO_LARGE,
      }),
      name: z.string().describe('The default is the title of the email, or the file name').optional(),
      subject: Fields.subject.optional(),
      channel: z.literal('email').optional(),
    }),
    body: z.strictObject({
      name: Fields.name,
      channel: z.literal('email').default('email'),
      subject: Fields.subject.default(''),
      html: Fields.html.default(''),
      mjml: Fields.mjml.default(''),
      text: Fields.text.default(''),
      /** The id of a starter to begin with, in the workspace's colors and fonts; its content and subject count then. */
      starter: z.string().max(60).optional(),
    }),
    response: Template,
  }),
  get: endpoint('GET /api/templates/:id', 'user', { summary: 'Get a template', params: IdParams, response: Template }),
  update: endpoint('PATCH /api/templates/:id', 'user', {
    refusals: [409, 429],
    summary: 'Update a template; with `version`, only if it has not changed since (409 version_conflict)',
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
    response: Template,
  }),
  remove: endpoint('DELETE /api/templates/:id', 'user', {
    refusals: [409],
    summary: 'Delete a template; campaigns that were sent keep their content',
    params: IdParams,
    response: Empty,
  }),
  preview: endpoint('POST /api/templates/:id/preview', 'user', {
    refusals: [429],
    summary: 'Render a saved template for a contact or for sample data',
    params: IdParams,
    body: z.strictObject(Reader).default({}),
    response: Rendered,
  }),
  draftPreview: endpoint('POST /api/templates/preview', 'user', {
    refusals: [429],
    summary: 'Render a draft without saving it',
    body: z.strictObject({
      subject: Fields.subject.default(''),
      html: Fields.html.default(''),
      mjml: Fields.mjml.default(''),
      text: Fields.text.default(''),
      ...Reader,
    }),
    response: Rendered,
  }),
  canvas: endpoint('POST /api/templates/canvas', 'user', {
    refusals: [429],
    summary: 'Compile MJML to HTML without rendering its Liquid, for the visual editor',
    body: z.strictObject({ mjml: Fields.mjml }),
    response: z.object({ html: z.string(), problems: z.array(TemplateProblem) }),
  }),
  versions: endpoint('GET /api/templates/:id/versions', 'user', {
    summary: 'List the versions of a template, newest first; the last twenty are retained, and up to twenty named ones',
    params: IdParams,
    response: ListOf(Version),
  }),
  showVersion: endpoint('GET /api/templates/:id/versions/:versionId', 'user', {
    summary: 'Get a version of a template',
    params: VersionParams,
    response: Version.extend({ html: z.string(), mjml: z.string(), text: z.string() }),
  }),
  nameVersion: endpoint('PATCH /api/templates/:id/versions/:versionId', 'user', {
    refusals: [409],
    summary: 'Name a version, so that it is retained; an empty name takes it away',
    params: VersionParams,
    body: z.strictObject({ label: Line(80) }),
    response: Version,
  }),
  restore: endpoint('POST /api/templates/:id/versions/:versionId/restore', 'user', {
    summary: 'Restore a version; the current state becomes a version',
    params: VersionParams,
    response: Template,
  }),
  export: endpoint('GET /api/templates/:id/export', 'user', {
    refusals: [409, 429],
    types: ['text/html', 'application/xml', 'application/zip'],
    summary: 'Export a template: html, mjml, or a zip of it with its images',
    params: IdParams,
    query: z.object({ format: z.enum(['html', 'mjml', 'zip']).default('html') }),
    transport: 'file',
  }),
  test: endpoint('POST /api/templates/:id/test', 'user', {
    refusals: [402, 409, 429],
    summary:
      'Send it to your own address through the default sender, as a contact or the nth member of a list would get it',
    params: IdParams,
    body: z.strictObject(Reader).default({}),
    response: z.object({ ok: z.boolean(), message: z.string() }),
  }),
  demoCanvas: endpoint('POST /api/starter-templates/canvas', 'public', {
    refusals: [429],
    summary: 'Compile MJML to HTML for the public demo of the editor; nothing is stored',
    body: z.strictObject({ mjml: DemoSource }),
    response: z.object({ html: z.string(), problems: z.array(TemplateProblem) }),
  }),
  demoPreview: endpoint('POST /api/starter-templates/preview', 'public', {
    refusals: [429],
    summary: 'Render an email with sample data for the public demo of the editor; nothing is stored',
    body: z.strictObject({
      subject: Fields.subject.default(''),
      html: DemoSource.default(''),
      mjml: DemoSource.default(''),
      text: DemoSource.default(''),
    }),
    response: Rendered,
  }),
  starters: endpoint('GET /api/starter-templates', 'public', {
    summary: 'The starter templates that come with Postlark',
    response: z.object({
      items: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          description: z.string(),
          group: StarterGroup,
          /** Always empty: a subject is written for one campaign. */
          subject: z.string(),
          html: z.string(),
          mjml: z.string(),
          /** Its own color, in whose place a workspace's main color is put; empty for plain emails. */
          accent: z.string(),
        }),
      ),
      nextCursor: z.null(),
    }),
  }),
}
