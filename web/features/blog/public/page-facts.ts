import type { MetaDescriptor } from 'react-router'
import type { Post } from '#contracts/blog/blog.ts'
import { categoryPath, postPath } from './labels.ts'

const SITE = 'Postlark'
const feed: MetaDescriptor = {
  tagName: 'link',
  rel: 'alternate',
  type: 'application/rss+xml',
  title: 'Postlark blog',
  href: '/feed.xml',
}

/** What a list of posts says of itself to search engines and feed readers. `path`: its one address. */
export function listFacts(
  publicUrl: string,
  { title, description, path, hidden }: { title: string; description: string; path: string; hidden: boolean },
): MetaDescriptor[] {
  const url = publicUrl + path
  return [
    { title: `${title} · ${SITE}` },
    { name: 'description', content: description },
    ...(hidden ? [{ name: 'robots', content: 'noindex, follow' }] : []),
    { tagName: 'link', rel: 'canonical', href: url },
    feed,
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: SITE },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    { name: 'twitter:card', content: 'summary' },
  ]
}

/** What a post says of itself: metadata, Open Graph, and JSON-LD (schema.org BlogPosting and BreadcrumbList). */
export function postFacts(publicUrl: string, post: Post): MetaDescriptor[] {
  const url = publicUrl + postPath(post)
  const title = post.metaTitle || post.title
  const cover = post.coverSizes[0]
  const image = post.coverImage && new URL(post.coverImage, publicUrl).href
  return [
    { title: `${title} · ${SITE}` },
    { name: 'description', content: post.summary },
    { name: 'author', content: post.authorName },
    { tagName: 'link', rel: 'canonical', href: url },
    feed,
    { property: 'og:type', content: 'article' },
    { property: 'og:site_name', content: SITE },
    { property: 'og:title', content: title },
    { property: 'og:description', content: post.summary },
    { property: 'og:url', content: url },
    ...(image ? [{ property: 'og:image', content: image }] : []),
    ...(cover
      ? [
          { property: 'og:image:width', content: String(cover.width) },
          { property: 'og:image:height', content: String(cover.height) },
        ]
      : []),
    { property: 'article:published_time', content: post.publishedAt ?? '' },
    { property: 'article:modified_time', content: post.updatedAt },
    { property: 'article:author', content: post.authorName },
    { property: 'article:section', content: post.category },
    ...post.tags.map((tag) => ({ property: 'article:tag', content: tag })),
    { name: 'twitter:card', content: image ? 'summary_large_image' : 'summary' },
    { 'script:ld+json': postingData(publicUrl, url, post, image) },
    { 'script:ld+json': breadcrumbs(publicUrl, url, post) },
  ]
}

const postingData = (publicUrl: string, url: string, post: Post, image: string) => ({
  '@context': 'https://schema.org',
  '@type': 'BlogPosting',
  headline: post.title,
  description: post.summary,
  url,
  mainEntityOfPage: url,
  datePublished: post.publishedAt,
  dateModified: post.updatedAt,
  author: { '@type': 'Person', name: post.authorName },
  publisher: { '@type': 'Organization', name: SITE, url: publicUrl },
  articleSection: post.category,
  ...(post.tags.length > 0 && { keywords: post.tags }),
  ...(image && { image }),
  timeRequired: `PT${post.readingTime}M`,
})

const breadcrumbs = (publicUrl: string, url: string, post: Post) => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: [
    { name: 'Blog', item: `${publicUrl}/blogs` },
    { name: post.category, item: publicUrl + categoryPath(post.category) },
    { name: post.title, item: url },
  ].map((entry, i) => ({ '@type': 'ListItem', position: i + 1, ...entry })),
})
