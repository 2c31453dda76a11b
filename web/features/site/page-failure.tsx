import { isRouteErrorResponse } from 'react-router'
import { buttonClass } from '#web/ui/button.tsx'

/** The last resort, when a page cannot be shown at all. Plain links, because the router itself may be what failed. */
export function PageFailure({ error }: { error: unknown }) {
  const detail = isRouteErrorResponse(error)
    ? `${error.status} ${error.statusText}`
    : import.meta.env.DEV && error instanceof Error
      ? error.message
      : ''
  return (
    <main className="mx-auto flex max-w-lg flex-col items-center px-6 py-24 text-center">
      <h1 className="text-xl font-semibold">Failed to load component</h1>
      <p className="mt-2 text-base text-muted">This page could not be shown. Nothing of yours was changed. {detail}</p>
      <div className="mt-6 flex gap-2">
        <a href="?" className={buttonClass('primary')}>
          Try again
        </a>
        <a href="/" className={buttonClass()}>
          Go to the front page
        </a>
      </div>
    </main>
  )
}
