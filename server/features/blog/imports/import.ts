import { marked } from 'marked'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { CATEGORIES, PostForm } from '#contracts/blog/blog.ts'
import { checkForm } from '#server/platform/http/form.ts'
import { invalid, Refusal } from '#server/platform/http/refusal.ts'
import { toSlug } from '../posts/slug.ts'

/** One post of a file: the form it would have been written with, or why it cannot be taken. */
export type ImportedPost = { title: string; form: PostForm } | { title: string; reason: string }

const text = z.string().nullish()
const Ghost = z.object({
  posts: z.array(
    z.object({
      id: z.coerce.string(),
      title: z.string(),
      slug: text,
      html: text,
      feature_image: text,
      status: text,
      type: text,
      published_at: text,
      custom_excerpt: text,
      meta_title: text,
      meta_description: text,
    }),
  ),
  tags: z.array(z.object({ id: z.coerce.string(), name: z.string() })).default([]),
  posts_tags: z.array(z.object({ post_id: z.coerce.string(), tag_id: z.coerce.string() })).default([]),
  users: z.array(z.object({ id: z.coerce.string(), name: text })).default([]),
  posts_authors: z.array(z.object({ post_id: z.coerce.string(), author_id: z.coerce.string() })).default([]),
  posts_meta: z.array(z.object({ post_id: z.coerce.string(), meta_title: text, meta_description: text })).default([]),
})
const Export = z.union([
  z.object({ db: z.array(z.object({ data: Ghost })).min(1) }).transform((file) => file.db[0]?.data),
  z.object({ data: Ghost }).transform((file) => file.data),
])

const findCategory = (tags: string[]) =>
  CATEGORIES.find((category) => tags.some((tag) => tag.toLowerCase() === category.toLowerCase()))

/** A time as ISO 8601; undefined when it is none. */
function toIsoTime(value: unknown): string | undefined {
  const time = value instanceof Date ? value : new Date(String(value ?? ''))
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** What the post form would say. What is too long is cut, what is not an image's address is skipped. */
function toPostForm(given: {
  title: string
  content: string
  slug: string | undefined
  tags: string[]
  author: string
  cover: string
  metaTitle: string
  metaDescription: string
  isPublished: boolean
  publishedAt: string | undefined
}): ImportedPost {
  const title = given.title.replace(/\s+/g, ' ').trim().slice(0, 200)
  const category = findCategory(given.tags)
  const line = (value: string, most: number) => value.replace(/\s+/g, ' ').trim().slice(0, most)
  const values: Record<string, string | string[]> = {
    title,
    content: given.content,
    slug: toSlug(given.slug || title),
    tags: given.tags.map((tag) => line(tag, 50)).slice(0, 20),
    authorName: line(given.author, 80),
    metaTitle: line(given.metaTitle, 200),
    metaDescription: line(given.metaDescription, 500),
    state: given.isPublished ? 'published' : 'draft',
    ...(category && { category }),
    ...(given.publishedAt && { publishedAt: given.publishedAt }),
    ...(/^https?:\/\//.test(given.cover) && given.cover.length <= 500 && { coverImage: given.cover }),
  }
  try {
    return { title, form: checkForm(PostForm, new Map(Object.entries(values))) }
  } catch (error) {
    if (error instanceof Refusal) return { title, reason: error.message }
    throw error
  }
}

function ghostPosts(source: string): ImportedPost[] {
  let json: unknown
  try {
    json = JSON.parse(source)
  } catch {
    throw invalid('file', 'is not valid JSON')
  }
  const read = Export.safeParse(json)
  if (!read.success || !read.data) throw invalid('file', 'is not a Ghost export: it has no posts')
  const { posts, tags, posts_tags, users, posts_authors, posts_meta } = read.data
  const tagNames = new Map(tags.map((tag) => [tag.id, tag.name]))
  const userNames = new Map(users.map((user) => [user.id, user.name ?? '']))
  return posts
    .filter((post) => (post.type ?? 'post') === 'post')
    .map((post) => {
      const meta = posts_meta.find((row) => row.post_id === post.id)
      const own = posts_tags.filter((row) => row.post_id === post.id).flatMap((row) => tagNames.get(row.tag_id) ?? [])
      const author = posts_authors.find((row) => row.post_id === post.id)
      if (!post.html)
        return {
          title: post.title,
          reason: 'The export has no HTML for this post. Export again from a newer version of Ghost.',
        }
      return toPostForm({
        title: post.title,
        content: post.html.replaceAll('__GHOST_URL__', ''),
        slug: post.slug ?? undefined,
        // Ghost's inner tags begin with #.
        tags: own.filter((tag) => !tag.startsWith('#')),
        author: userNames.get(author?.author_id ?? '') ?? '',
        cover: post.feature_image ?? '',
        metaTitle: meta?.meta_title ?? post.meta_title ?? '',
        metaDescription: meta?.meta_description ?? post.meta_description ?? post.custom_excerpt ?? '',
        isPublished: post.status === 'published',
        publishedAt: toIsoTime(post.published_at),
      })
    })
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/

function markdownPost(source: string, fileName: string): ImportedPost {
  const block = FRONT_MATTER.exec(source)
  let facts: Record<string, unknown> = {}
  try {
    // Aliases may unfold without end.
    const parsed: unknown = parseYaml(block?.[1] ?? '', { maxAliasCount: 10 })
    if (parsed && typeof parsed === 'object') facts = parsed as Record<string, unknown>
  } catch {
    throw invalid('file', 'has front matter that is not valid YAML')
  }
  const body = source.slice(block?.[0].length ?? 0)
  const word = (...names: string[]) => {
    const value = names
      .map((name) => facts[name])
      .find((found) => typeof found === 'string' || typeof found === 'number')
    return value === undefined ? '' : String(value)
  }
  const words = (value: unknown) =>
    Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : []
  const heading = /^#\s+(.+)$/m.exec(body)?.[1]
  const title = word('title') || heading || fileName.replace(/\.(md|markdown)$/i, '')
  return toPostForm({
    title,
    content: marked.parse(word('title') ? body : body.replace(/^#\s+.+$/m, ''), { async: false, gfm: true }),
    slug: word('slug') || undefined,
    tags: [...words(facts.tags), ...words(facts.categories ?? facts.category)].map((tag) => tag.trim()).filter(Boolean),
    author: word('author'),
    cover: word('cover', 'image', 'featured_image', 'feature_image', 'coverImage'),
    metaTitle: word('metaTitle', 'meta_title'),
    metaDescription: word('metaDescription', 'meta_description', 'description', 'excerpt', 'summary'),
    isPublished: facts.draft !== true && facts.published !== false,
    publishedAt: toIsoTime(facts.date ?? facts.publishedAt ?? facts.published_at),
  })
}

/** The posts of a Ghost export (.json) or one Markdown file with front matter (.md). Throws Refusal 400 on any other file. */
export function readPosts(file: { name: string; bytes: Buffer }): ImportedPost[] {
  const source = new TextDecoder('utf-8').decode(file.bytes)
  if (/\.json$/i.test(file.name)) return ghostPosts(source)
  if (/\.(md|markdown)$/i.test(file.name)) return [markdownPost(source, file.name)]
  throw invalid('file', 'is neither a Ghost export (.json) nor a Markdown file (.md)')
}
