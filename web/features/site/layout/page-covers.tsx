import { buttonClass } from '#web/ui/form/button.tsx'
import { Wordmark } from '#web/ui/theme/brand.tsx'
import './page-covers.css'

/** Stands over a page for a moment after a reload; first-moments.ts shows it, and the page under it stays whole. */
export function SiteLoader() {
  return (
    <div className="site-loader" role="status" aria-label="Loading">
      <Wordmark className="scale-140" />
      <span className="site-loader-bar" />
    </div>
  )
}

/** Says that the page's program could not be fetched, while what the server wrote can still be read. */
export function LoadFailure() {
  return (
    <div
      id="load-failure"
      role="alert"
      hidden
      suppressHydrationWarning
      className="fixed inset-x-4 bottom-4 z-50 mx-auto max-w-md rounded-dialog border bg-raised p-5 shadow-dialog"
    >
      <p className="font-semibold text-ink">Failed to load component</p>
      <p className="mt-1 text-base text-text">
        Part of this page could not be loaded. You can read the page, but buttons may not work yet.
      </p>
      {/* A plain link to this very page: it needs nothing that may be missing. */}
      <a href="?" className={buttonClass('primary', 'md', 'mt-4')}>
        Try again
      </a>
    </div>
  )
}
