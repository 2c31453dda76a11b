import { isRouteErrorResponse, Outlet, useRouteError } from 'react-router'
import { NotFound } from './not-found.tsx'
import { PageFailure } from './page-failure.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SiteNav } from './site-nav.tsx'

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteNav />
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <SiteFooter />
    </div>
  )
}

/** The frame of every public page. */
export default function SiteLayout() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  )
}

/** A page that cannot be shown leaves the frame around it: everything else can still be reached. */
export function ErrorBoundary() {
  const error = useRouteError()
  return (
    <Frame>{isRouteErrorResponse(error) && error.status === 404 ? <NotFound /> : <PageFailure error={error} />}</Frame>
  )
}
