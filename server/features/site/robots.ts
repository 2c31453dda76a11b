import { escapeUTF8 } from 'entities'

/** The public pages, for search engines. */
const PAGES = ['/', '/about', '/services', '/pricing', '/templates', '/blogs', '/contact', '/privacy-policy', '/bot']

/** robots.txt (RFC 9309): everything public may be read; the API, tracking and personal links may not. */
export function robots(publicUrl: string): string {
  const closed = ['/api/', '/t/', '/u/', '/p/', '/v/', '/oauth2/', '/verify-email', '/reset-password']
  return `User-agent: *\n${closed.map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${publicUrl}/sitemap.xml\n`
}

/** sitemap.xml (sitemaps.org 0.9) with whole addresses: the public pages, and the posts with the time they changed. */
export function sitemap(publicUrl: string, posts: { slug: string; updatedAt: Date }[]): string {
  const pages = PAGES.map((path) => `  <url><loc>${escapeUTF8(publicUrl + path)}</loc></url>\n`)
  const written = posts.map(
    ({ slug, updatedAt }) =>
      `  <url><loc>${escapeUTF8(`${publicUrl}/blog/${encodeURIComponent(slug)}`)}</loc><lastmod>${updatedAt.toISOString()}</lastmod></url>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${[...pages, ...written].join('')}</urlset>\n`
}
