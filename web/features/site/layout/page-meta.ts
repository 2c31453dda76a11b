import type { MetaDescriptor } from 'react-router'

interface PageMeta {
  title: string
  description: string
  path: string
  /** An image under /og, 1200 by 630; the landing page's unless told. */
  image?: string
  /** Not for search engines. */
  hidden?: boolean
  /** JSON-LD beside what every page has. */
  data?: Record<string, unknown>
}

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[]

/** What a public page says of itself to search engines and to those who share it. `matches` are a meta function's. */
export function pageMeta(matches: Matches, page: PageMeta): MetaDescriptor[] {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { publicUrl?: string } | undefined
  const url = `${root?.publicUrl ?? ''}${page.path}`
  const image = `${root?.publicUrl ?? ''}/og/${page.image ?? 'landing'}.png`
  const robots: MetaDescriptor[] = page.hidden ? [{ name: 'robots', content: 'noindex' }] : []
  const data: MetaDescriptor[] = page.data
    ? [{ 'script:ld+json': { '@context': 'https://schema.org', url, ...page.data } as never }]
    : []
  return [
    { title: page.title },
    { name: 'description', content: page.description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: 'Postlark' },
    { property: 'og:title', content: page.title },
    { property: 'og:description', content: page.description },
    { property: 'og:url', content: url },
    { property: 'og:image', content: image },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: page.title },
    { name: 'twitter:card', content: 'summary_large_image' },
    ...robots,
    ...data,
  ]
}
