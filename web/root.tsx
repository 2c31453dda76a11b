import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import { use, useEffect } from 'react'
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts } from 'react-router'
import type { Route } from './+types/root.ts'
import { firstMomentsScript } from './features/site/layout/first-moments.ts'
import { useFocusContent } from './features/site/layout/focus-content.ts'
import { NotFound } from './features/site/layout/not-found.tsx'
import { LoadFailure, SiteLoader } from './features/site/layout/page-covers.tsx'
import { PageFailure } from './features/site/layout/page-failure.tsx'
import { usePreload } from './features/site/layout/preload.ts'
import { useScrollToTop } from './features/site/layout/scroll-to-top.ts'
import { NonceContext, publicUrlContext } from './page-context.ts'
import stylesUrl from './ui/theme/styles.css?url'
import { themeScript } from './ui/theme/theme.ts'

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: interUrl, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'stylesheet', href: stylesUrl },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
]

export const meta: Route.MetaFunction = () => [{ title: 'Postlark' }]

/** Where this installation is reached: canonical links and images for others need whole addresses. */
export const loader = ({ context }: Route.LoaderArgs) => ({ publicUrl: context.get(publicUrlContext) })

/** That does not change while somebody looks around. */
export const shouldRevalidate = () => false

/** The document around every page, errors included. The theme is applied before anything is painted; it is ready once the program runs. */
export function Layout({ children }: { children: React.ReactNode }) {
  const nonce = use(NonceContext)
  useEffect(() => {
    document.documentElement.dataset.ready = ''
  }, [])
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f7f9" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0e1016" />
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant text
          dangerouslySetInnerHTML={{ __html: `${themeScript};${firstMomentsScript}` }}
        />
        <Meta />
        {/* Style sheets come from our own address and need no nonce, which the browser would hide and React would miss. */}
        <Links nonce="" />
      </head>
      <body>
        {children}
        <SiteLoader />
        <LoadFailure />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  useScrollToTop()
  useFocusContent()
  usePreload()
  return <Outlet />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return <PageFailure error={error} />
}
