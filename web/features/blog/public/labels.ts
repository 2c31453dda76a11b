import type { PostSummary } from '#contracts/blog/blog.ts'

// In UTC, so that the page says the same where it is made and where it is read.
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** An ISO time as a day for readers: "21 November 2026". */
export const dayInWords = (iso: string) => days.format(new Date(iso))

/** Where a post is read: its one address. */
export const postPath = (post: Pick<PostSummary, 'slug'>) => `/blog/${encodeURIComponent(post.slug)}`

/** Where the posts of a category, or with a tag, are listed. */
export const categoryPath = (category: string) => `/category/${encodeURIComponent(category.toLowerCase())}`
export const tagPath = (tag: string) => `/tag/${encodeURIComponent(tag.toLowerCase())}`
