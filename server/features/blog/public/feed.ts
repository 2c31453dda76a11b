import { escapeUTF8 } from 'entities'
import type { Db } from '#server/platform/db/database.ts'
import { cleanHtml, summarize } from '../posts/clean.ts'
import { publishedPosts } from '../posts/store.ts'

const NEWEST = 20
/** Text in XML 1.0, which has no place for most control characters. */
const escapeXml = (text: string) => escapeUTF8(text.replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, ''))

/** Addresses inside a feed must be whole: nobody knows where it is read. */
const absolute = (html: string, publicUrl: string) => html.replace(/( (?:src|href)=")\//g, `$1${publicUrl}/`)

/** The newest posts as RSS 2.0 with their whole text. */
export async function buildFeed(db: Db, publicUrl: string): Promise<string> {
  const posts = await publishedPosts(db, NEWEST)
  const items = posts.map((post) => {
    // Readers take a description for HTML: escaped twice, it is read as the words it is.
    const link = `${publicUrl}/blog/${encodeURIComponent(post.slug)}`
    return `<item><title>${escapeXml(post.title)}</title><link>${link}</link><guid isPermaLink="false">${publicUrl}/blog-posts/${post.id}</guid>
<pubDate>${post.publishedAt?.toUTCString() ?? ''}</pubDate><dc:creator>${escapeXml(post.authorName)}</dc:creator>
${[post.category, ...post.tags].map((name) => `<category>${escapeXml(name)}</category>`).join('')}
<description>${escapeXml(escapeXml(post.metaDescription || summarize(post.words)))}</description>
<content:encoded>${escapeXml(absolute(cleanHtml(post.content), publicUrl))}</content:encoded></item>`
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>Postlark blog</title><link>${publicUrl}/blogs</link><description>Notes on email that is lawful, delivered and counted truthfully.</description><language>en</language>
<atom:link href="${publicUrl}/feed.xml" rel="self" type="application/rss+xml"/>${posts[0]?.publishedAt ? `<lastBuildDate>${posts[0].publishedAt.toUTCString()}</lastBuildDate>` : ''}
${items.join('\n')}
</channel></rss>
`
}
