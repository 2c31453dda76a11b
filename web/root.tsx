import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import { use } from 'react'
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import type { Route } from './+types/root.ts'
import { NotFound } from './features/site/not-found.tsx'
import { PageFailure } from './features/site/page-failure.tsx'
import { NonceContext } from './page-context.ts'
import stylesUrl from './ui/styles.css?url'
import { themeScript } from './ui/theme.ts'

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: interUrl, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'stylesheet', href: stylesUrl },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
]

export const meta: Route.MetaFunction = () => [{ title: 'Postlark' }]

/** The document around every page. The theme is applied before anything is painted. */
export function Layout({ children }: { children: React.ReactNode }) {
  const nonce = use(NonceContext)
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant text */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: themeScript }} />
        <Meta />
        {/* Style sheets come from our own address and need no nonce, which the browser would hide and React would miss. */}
        <Links nonce="" />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  return <Outlet />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return <PageFailure error={error} />
}
