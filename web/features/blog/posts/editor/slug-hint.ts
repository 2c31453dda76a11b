import type { Post } from '#contracts/blog/blog.ts'
import type { Draft } from './draft.ts'

/** Where a post is found, and that its old URL still leads there. */
export function slugHint(draft: Draft, post: Post | undefined): string {
  const slug = draft.slug.trim()
  if (!slug) return 'Available at /blog/… after you save it.'
  const old = post?.publishedAt && post.slug !== slug ? ` The old URL /blog/${post.slug} redirects here.` : ''
  return `Available at /blog/${slug}.${old}`
}
