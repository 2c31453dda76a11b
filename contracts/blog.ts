import { z } from 'zod'
import { Email } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Line, Message, Moment, PageQuery } from './values.ts'

/** The categories of SPEC.md, the first being the default. */
export const CATEGORIES = ['General', 'Technology', 'Lifestyle', 'Travel', 'Food', 'Other'] as const
export const Category = z.enum(CATEGORIES)

/** Bytes of one uploaded picture, at most. */
export const PICTURE_LIMIT = 5 * 1024 * 1024
/** Characters of a post's HTML, at most. */
export const CONTENT_LIMIT = 2_000_000

/** A picture as it is served: its address and its size in pixels, the largest first. */
export const Picture = z.object({ url: z.string(), width: z.number().int(), height: z.number().int() })
export type Picture = z.infer<typeof Picture>

/** "news, mail" -> ['news', 'mail']: trimmed, without empty ones. */
export const splitTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)

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
  coverSizes: z.array(Picture),
  /** Minutes, at 230 words a minute. */
  readingTime: z.number().int(),
  state: z.enum(['draft', 'scheduled', 'published']),
  publishedAt: Moment.nullable(),
  createdAt: Moment,
  updatedAt: Moment,
})
export type PostSummary = z.infer<typeof PostSummary>

export const Post = PostSummary.extend({
  /** Sanitised HTML. */
  content: z.string(),
  /** Counts the saves: sent back with a change, it keeps two editors from overwriting each other. */
  version: z.number().int(),
})
export type Post = z.infer<typeof Post>

/** The text fields of the form that creates or changes a post. */
export const PostForm = z.strictObject({
  title: Line(200),
  content: z.string().max(CONTENT_LIMIT, 'is too long'),
  metaTitle: Line(200).optional(),
  metaDescription: Line(500).optional(),
  category: Category.optional(),
  /** Trimmed, without empty or repeated ones. */
  tags: z.array(Line(50).min(1)).max(20, 'are at most 20').optional(),
  authorName: Line(80).optional(),
  slug: z
    .string()
    .trim()
    .toLowerCase()
    .max(120)
    .regex(/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u, 'may hold letters, digits and single dashes')
    .optional(),
  state: z.enum(['draft', 'published']).optional(),
  /** When it appears; a time ahead schedules it. */
  publishedAt: Moment.optional(),
  /** The version the editor began with. */
  version: z.coerce.number().int().positive().optional(),
  /** In the place of a file: the address of a kept picture, or an empty text to take the cover away. */
  coverImage: z
    .string()
    .max(500)
    .regex(/^($|\/media\/|https?:\/\/)/, 'is not a picture')
    .optional(),
})
export type PostForm = z.infer<typeof PostForm>

const FORM =
  'title, content, metaTitle, metaDescription, category, tags (comma-joined or repeated), authorName, slug, state (draft or published), publishedAt, version; coverImage: a picture of at most 5 MB (JPEG, PNG, WebP or GIF)'

const Saved = z.object({ message: z.string(), post: Post })

export const blog = {
  list: endpoint('GET /api/blog/blog-posts', 'public', {
    summary: 'Published posts, newest first; with drafts for an admin who asks for them',
    query: PageQuery.extend({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      /** Words of title or text. */
      q: z.string().trim().max(200).optional(),
      /** A part of the title. */
      title: z.string().trim().max(200).optional(),
      category: z.string().trim().max(50).optional(),
      tag: z.string().trim().max(50).optional(),
      drafts: z.enum(['true', 'false']).optional(),
    }),
    answer: z.object({ posts: z.array(PostSummary), nextCursor: z.string().nullable(), total: z.number().int() }),
  }),
  get: endpoint('GET /api/blog/blog-posts/:id', 'public', {
    summary: 'One post by its id or any slug it ever had; drafts are shown to admins only',
    params: z.object({ id: z.string().min(1).max(200) }),
    answer: Post,
  }),
  related: endpoint('GET /api/blog/blog-posts/:id/related', 'public', {
    summary: 'Up to three other posts with the most in common',
    params: IdParams,
    answer: z.object({ items: z.array(PostSummary), nextCursor: z.null() }),
  }),
  create: endpoint('POST /api/blog/create-blog-post', 'admin', {
    summary: 'Write a post; it is published at once unless state or publishedAt say otherwise',
    status: 201,
    multipart: FORM,
    answer: Saved,
  }),
  update: endpoint('PUT /api/blog/update-blog-post/:id', 'admin', {
    summary: 'Change a post; fields left out stay as they are',
    params: IdParams,
    multipart: FORM,
    answer: Saved,
  }),
  remove: endpoint('DELETE /api/blog/delete-blog-post/:id', 'admin', {
    summary: 'Delete a post',
    params: IdParams,
    answer: Message,
  }),
  uploadImage: endpoint('POST /api/blog/upload-image', 'admin', {
    summary: 'Keep a picture for use in a post; it is re-encoded and loses its metadata',
    multipart: 'image: a picture of at most 5 MB (JPEG, PNG, WebP or GIF)',
    answer: Picture,
  }),
  import: endpoint('POST /api/blog/import', 'admin', {
    summary:
      'Take posts over from a Ghost export (JSON) or a Markdown file with front matter; they become drafts unless they were published',
    multipart: 'file: a Ghost export (.json) or a post (.md), at most 50 MB',
    answer: z.object({
      imported: z.number().int(),
      skipped: z.array(z.object({ title: z.string(), reason: z.string() })),
    }),
  }),
  subscribe: endpoint('POST /api/blog/subscribe', 'public', {
    summary: 'Ask for new posts by mail; nothing is sent before the address is confirmed',
    status: 202,
    body: z.strictObject({ email: Email }),
    answer: Message,
  }),
}

/** First parts of addresses that are pages or machine paths of their own: no post may be called so. */
export const RESERVED_SLUGS = [
  ...['about', 'account', 'admin', 'blog', 'blog-posts', 'blogs', 'category', 'contact', 'contacts', 'create-blog'],
  ...['bot', 'create-coupun', 'dashboard', 'editor', 'email-scraper', 'email-sender', 'gmail-analytics', 'gmail-link'],
  ...['gmail-sender', 'home', 'login', 'logout', 'mail-dash', 'my-templates', 'number-scraper', 'oauth', 'oauth2'],
  ...['pass-reset', 'plan', 'plans', 'post-form', 'pricing', 'privacy-policy', 'reset-password', 'sandbox', 'search'],
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
