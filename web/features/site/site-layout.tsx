import { Outlet } from 'react-router'
import { SiteFooter } from './site-footer.tsx'
import { SiteNav } from './site-nav.tsx'

/** The frame of every public page. */
export default function SiteLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteNav />
      <main id="content" className="flex-1">
        <Outlet />
      </main>
      <SiteFooter />
    </div>
  )
}
