import { z } from 'zod'
import { Email } from '#contracts/accounts/accounts.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { formFile, imageFile } from '#contracts/form-file.ts'
import {
  cursorCodec,
  GivenMoment,
  Id,
  IdParams,
  Line,
  ListOf,
  Message,
  Moment,
  PageQuery,
  QueryNumber,
} from '#contracts/values.ts'

/** The categories of a post (docs/specification.md, 5), the first being the default. */
export const CATEGORIES = ['General', 'Technology', 'Lifestyle', 'Travel', 'Food', 'Other'] as const
export const Category = z.enum(CATEGORIES)

/** Bytes of one uploaded image, at most. */
export const IMAGE_LIMIT = 5 * 1024 * 1024
/** Characters of a post's HTML, at most. */
export const CONTENT_LIMIT = 2_000_000

/** An image as it is served: its address and its size in pixels, the largest first. */
export const StoredImage = z.object({ url: z.string(), width: z.number().int(), height: z.number().int() })
export type StoredImage = z.infer<typeof StoredImage>

/** "news, mail" -> ['news', 'mail']: trimmed, without empty ones. */
export const splitTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)

function distinctTags(given: string | string[]): string[] {
  const tags = new Map<string, string>()
  for (const tag of [given].flat().flatMap(splitTags))
    if (!tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  return [...tags.values()]
}

/** A post as lists show it. `state` scheduled: published, with a time ahead. */
export const PostSummary = z.object({
  id: Id,
  slug: z.string(),
  title: z.string(),
  metaTitle: z.string(),
  metaDescription: z.string(),
  summary: z.string(),
  category: z.string(),
  /** Read from a list or from one text with commas; sent as a list. */
  tags: z.preprocess((tags) => (typeof tags === 'string' ? splitTags(tags) : tags), z.array(z.string())),
  authorName: z.string(),
  coverImage: z.string(),
  coverSizes: z.array(StoredImage),
  /** Minutes, at 230 words a minute. */
  readingTime: z.number().int(),
  state: z.enum(['draft', 'scheduled', 'published']),
  publishedAt: Moment.nullable(),
  createdAt: Moment,
  updatedAt: Moment,
})
export type PostSummary = z.infer<typeof PostSummary>

export const Post = PostSummary.extend({
  /** Sanitized HTML. */
  content: z.string(),
  /** Counts the saves: sent back with a change, it keeps two editors from overwriting each other. */
  version: z.number().int(),
})
export type Post = z.infer<typeof Post>

/** Control characters are refused when the text is taken apart: the schema of the form has to say it before. */
const OneLineTags = z.string().meta({ pattern: '^[^\\u0000-\\u001f\\u007f\\u2028\\u2029]*$' })

/** The text fields and the cover of the form that creates or changes a post. */
const PostFields = z.strictObject({
  title: Line(200),
  content: z.string().max(CONTENT_LIMIT, 'is too long'),
  metaTitle: Line(200).optional(),
  metaDescription: Line(500).optional(),
  category: Category.optional(),
  tags: z
    .union([OneLineTags, z.array(OneLineTags)])
    .describe(
      'At most 20 of at most 50 characters each, with commas between or as several fields; empty and repeated ones are not kept',
    )
    .transform(distinctTags)
    .pipe(z.array(Line(50).min(1)).max(20, 'must be at most 20'))
    .optional(),
  authorName: Line(80).optional(),
  slug: z
    .string()
    .trim()
    .toLowerCase()
    .max(120)
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(-[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u,
      'must have only letters, digits and single dashes',
    )
    .meta({
      pattern: '^(?!\\d+$)[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}]*(-[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}]*)*$',
      description: 'Must not be only a number',
    })
    .optional(),
  state: z.enum(['draft', 'published']).optional(),
  /** When it appears; a time ahead schedules it. */
  publishedAt: GivenMoment.optional(),
  /** The version the editor began with. */
  version: z.coerce.number().int().positive().optional(),
  /** In the place of a file: the address of a stored image, or an empty text to take the cover away. */
  coverImage: z
    .union([
      imageFile('The cover'),
      z
        .string()
        .max(500)
        .regex(/^($|\/media\/|https?:\/\/)/, 'is not an image'),
    ])
    .optional(),
})

/** Fields that may be emptied. Any other empty field of a form says nothing. */
const EMPTIED = new Set(['metaTitle', 'metaDescription', 'authorName', 'coverImage'])
const REQUIRED = 'Title and content are required fields'

function givenFields(form: unknown, context: z.core.$RefinementCtx): unknown {
  const fields = Object.entries(form as object).filter(([name, value]) => value !== '' || EMPTIED.has(name))
  const given = Object.fromEntries(fields)
  for (const name of ['title', 'content']) {
    if (String(given[name] ?? '').trim() === '')
      context.addIssue({ code: 'custom', path: [name], message: 'is required', params: { text: REQUIRED } })
  }
  return given
}

/** The form that creates or changes a post. */
export const PostForm = z.preprocess(givenFields, PostFields)
export type PostForm = z.output<typeof PostForm>

/** Where a page of posts ended: the time of its last post and its id. */
export const PostCursor = cursorCodec(z.object({ publishedAt: Moment, id: Id }))

const Saved = z.object({ message: z.string(), post: Post })

export const blog = {
  list: endpoint('GET /api/blog/blog-posts', 'public', {
    summary: 'List published posts, newest first; admins can include drafts',
    query: PageQuery.extend({
      limit: QueryNumber(z.number().int().min(1).max(100)).default(20),
      cursor: PostCursor.optional(),
      /** Words of title or text. */
      q: z.string().trim().max(200).optional(),
      /** A part of the title. */
      title: z.string().trim().max(200).optional(),
      category: z.string().trim().max(50).optional(),
      tag: z.string().trim().max(50).optional(),
      drafts: z.enum(['true', 'false']).optional(),
    }),
    response: z.object({ posts: z.array(PostSummary), nextCursor: z.string().nullable(), total: z.number().int() }),
  }),
  get: endpoint('GET /api/blog/blog-posts/:id', 'public', {
    summary: 'Get a post by its id or any of its slugs; drafts are visible to admins only',
    params: z.object({ id: z.string().min(1).max(200) }),
    response: Post,
  }),
  related: endpoint('GET /api/blog/blog-posts/:id/related', 'public', {
    summary: 'List up to three related posts',
    params: IdParams,
    response: ListOf(PostSummary),
  }),
  create: endpoint('POST /api/blog/create-blog-post', 'admin', {
    refusals: [409],
    gives: {
      under: ['/api/blog/blog-posts', '/api/blog/update-blog-post', '/api/blog/delete-blog-post'],
      pointer: '/post/id',
    },
    summary: 'Create a post; it is published immediately unless state or publishedAt say otherwise',
    status: 201,
    form: PostForm,
    response: Saved,
  }),
  update: endpoint('PUT /api/blog/update-blog-post/:id', 'admin', {
    refusals: [409],
    summary: 'Update a post; omitted fields stay as they are',
    params: IdParams,
    form: PostForm,
    response: Saved,
  }),
  remove: endpoint('DELETE /api/blog/delete-blog-post/:id', 'admin', {
    summary: 'Delete a post',
    params: IdParams,
    response: Message,
  }),
  uploadImage: endpoint('POST /api/blog/upload-image', 'admin', {
    summary: 'Upload an image for use in a post; it is re-encoded without its metadata',
    form: z.strictObject({ image: imageFile('The image') }),
    response: StoredImage,
  }),
  import: endpoint('POST /api/blog/import', 'admin', {
    summary:
      'Import posts from a Ghost export (JSON) or a Markdown file with front matter; they become drafts unless they were published',
    form: z.strictObject({
      file: formFile('A Ghost export (.json) or a post (.md) of at most 50 MB', {
        max: 50 * 1024 * 1024,
        missing: 'is required: choose a Ghost export or a Markdown file',
        tooLarge: () => 'file is larger than 50 MB',
      }),
    }),
    response: z.object({
      imported: z.number().int(),
      skipped: z.array(z.object({ title: z.string(), reason: z.string() })),
    }),
  }),
  subscribe: endpoint('POST /api/blog/subscribe', 'public', {
    refusals: [429],
    summary: 'Subscribe to new posts by email; nothing is sent before the address is confirmed',
    status: 202,
    body: z.strictObject({ email: Email }),
    response: Message,
  }),
}

/** First parts of addresses that are pages or machine paths of their own: no post may be called so. */
export const RESERVED_SLUGS = [
  ...['about', 'account', 'admin', 'blog', 'blog-posts', 'blogs', 'category', 'contact', 'contacts', 'create-blog'],
  ...['bot', 'create-coupun', 'dashboard', 'editor', 'email-scraper', 'email-sender', 'gmail-analytics', 'gmail-link'],
  ...['gmail-sender', 'home', 'login', 'logout', 'mail-dash', 'my-templates', 'number-scraper', 'oauth', 'oauth2'],
  ...[
    'pass-reset',
    'plan',
    'plans',
    'post-form',
    'pricing',
    'privacy-policy',
    'r',
    'reset-password',
    'sandbox',
    'search',
  ],
  ...[
    'senders',
    'services',
    'signup',
    'starters',
    'og',
    'tag',
    'templates',
    'ui',
    'verify-email',
    'whatsapp-dash',
    'whatsapp-sender',
  ],
  ...['api', 'assets', 'confirm', 'feed', 'healthz', 'media', 'metrics', 'readyz', 'robots', 'sitemap', 't', 'u', 'v'],
]
