import { z } from 'zod'
import { type Post, PostCursor, type PostForm, type PostSummary, type StoredImage } from '#contracts/blog/blog.ts'
import { Id } from '#contracts/values.ts'
import { imageSizes, storeImage } from '#server/features/images/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, invalid, notFound } from '#server/platform/http/refusal.ts'
import { cleanHtml, extractText, pastedImages, readingTime, summarize } from './clean.ts'
import { findSlugProblem, toSlug } from './slug.ts'
import * as store from './store.ts'

/** Who reads: an admin sees what is not published. */
type PostReader = { role: string } | undefined
const isAdmin = (reader: PostReader) => reader?.role === 'admin'

function toPostState(row: store.PostRow): PostSummary['state'] {
  if (row.state !== 'published') return 'draft'
  return row.publishedAt && row.publishedAt.getTime() > Date.now() ? 'scheduled' : 'published'
}

function present(row: store.PostRow, sizes: Map<string, StoredImage[]>): PostSummary {
  return {
    ...row,
    summary: row.metaDescription || summarize(row.words),
    coverSizes: sizes.get(row.coverImage) ?? [],
    readingTime: readingTime(row.words),
    state: toPostState(row),
    publishedAt: row.publishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

async function presentAll(db: Db, rows: store.PostRow[]): Promise<PostSummary[]> {
  const sizes = await imageSizes(
    db,
    rows.map((row) => row.coverImage),
  )
  return rows.map((row) => present(row, sizes))
}

async function presentWhole(db: Db, row: store.PostRow): Promise<Post> {
  const sizes = await imageSizes(db, [row.coverImage])
  // Cleaned again: what was stored by an older rule must not act either.
  return { ...present(row, sizes), content: cleanHtml(row.content), version: row.version }
}

interface PostQuery {
  limit: number
  cursor?: z.output<typeof PostCursor> | undefined
  q?: string | undefined
  title?: string | undefined
  category?: string | undefined
  tag?: string | undefined
  drafts?: 'true' | 'false' | undefined
}

/** One page of posts, newest first. Drafts come along for an admin who asks for them. */
export async function listPosts(db: Db, reader: PostReader, { limit, cursor: after, drafts, ...rest }: PostQuery) {
  const words = Object.fromEntries(Object.entries(rest).filter(([, value]) => value))
  const filter = { ...words, limit: limit + 1, drafts: drafts === 'true' && isAdmin(reader), ...(after && { after }) }
  const [rows, total] = await Promise.all([store.postPage(db, filter), store.countPosts(db, filter)])
  const { items, nextCursor } = takePage(rows, limit, ({ place, id }) =>
    z.encode(PostCursor, { publishedAt: place, id }),
  )
  return { posts: await presentAll(db, items), nextCursor, total }
}

async function visiblePost(db: Db, reader: PostReader, idOrSlug: string): Promise<store.PostRow> {
  const row = Id.safeParse(idOrSlug).success
    ? await store.postById(db, idOrSlug)
    : await store.postBySlug(db, idOrSlug.toLowerCase())
  if (!row || (toPostState(row) !== 'published' && !isAdmin(reader))) throw notFound('Post')
  return row
}

/** One post by id or any slug it ever had; 404 for what the reader may not see. */
export async function showPost(db: Db, reader: PostReader, idOrSlug: string): Promise<Post> {
  return presentWhole(db, await visiblePost(db, reader, idOrSlug))
}

/** Up to three others with the most in common. */
export async function relatedTo(db: Db, reader: PostReader, id: string): Promise<PostSummary[]> {
  return presentAll(db, await store.relatedPosts(db, await visiblePost(db, reader, id), 3))
}

/** The slug as asked for, or made of the title and counted up until it is free. Throws Refusal naming `slug`. */
async function freeSlug(db: Db, wanted: string | undefined, title: string, postId?: string): Promise<string> {
  const isFree = async (slug: string) => {
    const owner = await store.ownerOfSlug(db, slug)
    return owner === undefined || owner === postId
  }
  if (wanted) {
    const obstacle = findSlugProblem(wanted)
    if (obstacle) throw invalid('slug', obstacle)
    if (!(await isFree(wanted))) throw invalid('slug', 'belongs to another post')
    return wanted
  }
  const base = toSlug(title)
  for (let n = findSlugProblem(base) ? 2 : 1; ; n++) {
    const slug = n === 1 ? base : `${base}-${n}`
    if (await isFree(slug)) return slug
  }
}

/** Images pasted as data become stored ones, so that a post stays small. One that cannot be read is skipped. */
async function keepPasted(db: Db, html: string): Promise<string> {
  let kept = html
  for (const source of pastedImages(html)) {
    const bytes = Buffer.from(source.slice(source.indexOf(',') + 1), 'base64')
    const [image] = await storeImage(db, bytes, 'content').catch(() => [undefined])
    kept = kept.replaceAll(source, image?.url ?? '')
  }
  return kept
}

async function cleanContent(db: Db, html: string): Promise<{ content: string; words: string }> {
  const content = cleanHtml(await keepPasted(db, cleanHtml(html)))
  const words = extractText(content)
  if (!words && !content.includes('<img')) throw invalid('content', 'is required')
  return { content, words }
}

/** Where the cover is found: an uploaded one is stored first. */
async function coverAddress(db: Db, cover: NonNullable<PostForm['coverImage']>): Promise<string> {
  if (typeof cover === 'string') return cover
  const [image] = await storeImage(db, cover.bytes, 'coverImage')
  return image.url
}

async function toPostFields(db: Db, form: PostForm) {
  const { version: _, title, slug: _slug, state, publishedAt, authorName, coverImage, content, ...rest } = form
  return {
    ...rest,
    title,
    ...(await cleanContent(db, content)),
    ...(authorName !== undefined && { authorName: authorName || 'Anonymous' }),
    ...(coverImage !== undefined && { coverImage: await coverAddress(db, coverImage) }),
    ...(state && { state }),
    ...(publishedAt && { publishedAt: new Date(publishedAt) }),
  }
}

/** Writes a post: published now, unless state or publishedAt say otherwise. Throws Refusal 400 naming the field. */
export async function createPost(db: Db, form: PostForm): Promise<Post> {
  const fields = await toPostFields(db, form)
  const state = form.state ?? 'published'
  const publishedAt = fields.publishedAt ?? (state === 'published' ? new Date() : null)
  const row = await store.writing(db, async (db) => {
    const slug = await freeSlug(db, form.slug, form.title)
    return store.insertPost(db, { ...fields, slug, state, publishedAt })
  })
  return presentWhole(db, row)
}

/**
 * Changes a post; omitted fields stay. With the version the editor began with, a save by somebody else in between is a
 * 409 and nothing is overwritten. An old slug goes on leading to the post.
 */
export async function changePost(db: Db, id: string, form: PostForm): Promise<Post> {
  // Images are re-encoded before the transaction begins: it must not wait for that.
  if (!(await store.postById(db, id))) throw notFound('Post')
  const fields = await toPostFields(db, form)
  const changed = await store.writing(db, async (db) => {
    const row = await store.postById(db, id)
    if (!row) throw notFound('Post')
    if (form.version !== undefined && form.version !== row.version) throw changedMeanwhile()
    const slug = await slugAfter(db, row, form)
    const becomesPublic = form.state === 'published' && row.state === 'draft' && !fields.publishedAt
    const publishedAt = becomesPublic ? new Date() : (fields.publishedAt ?? row.publishedAt)
    const saved = await store.updatePost(db, id, { ...fields, slug, publishedAt })
    if (wasNeverRead(row)) await store.forgetOtherSlugs(db, saved)
    return saved
  })
  return presentWhole(db, changed)
}

const wasNeverRead = (row: store.PostRow) => row.state === 'draft' && !row.publishedAt

/** The slug asked for; else, while nobody has read the post, one that follows its title; else the one it has. */
async function slugAfter(db: Db, row: store.PostRow, form: PostForm): Promise<string> {
  if (form.slug) return form.slug === row.slug ? row.slug : freeSlug(db, form.slug, form.title, row.id)
  const follows = row.slug.replace(/-\d+$/, '') === toSlug(row.title).replace(/-\d+$/, '')
  if (!wasNeverRead(row) || !follows || form.title === row.title) return row.slug
  return freeSlug(db, undefined, form.title, row.id)
}

const changedMeanwhile = () =>
  conflict(
    'changed_meanwhile',
    'Someone else saved this post while you were editing it. Your text is still here. Copy it, reload the post and merge the changes.',
  )

/** Deletes a post. Throws Refusal 404. */
export async function removePost(db: Db, id: string): Promise<store.PostRow> {
  const row = await store.writing(db, (db) => store.deletePost(db, id))
  if (!row) throw notFound('Post')
  return row
}
