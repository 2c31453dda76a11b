import { isRouteErrorResponse } from 'react-router'
import { Button, buttonClass } from '#web/ui/form/button.tsx'

/** When a page cannot be shown: its code did not come, or it failed. Plain ways on, because the router itself may be what failed. */
export function PageFailure({ error }: { error: unknown }) {
  const detail = isRouteErrorResponse(error)
    ? `The server responded with ${error.status} ${error.statusText}.`
    : import.meta.env.DEV && error instanceof Error
      ? error.message
      : ''
  return (
    <div role="alert" className="mx-auto flex max-w-lg flex-col items-center px-6 py-24 text-center">
      <svg aria-hidden="true" viewBox="0 0 200 120" width="200" height="120" fill="none">
        <rect
          x="30"
          y="16"
          width="140"
          height="92"
          rx="10"
          fill="var(--color-raised)"
          stroke="var(--color-line)"
          strokeWidth="2"
          strokeDasharray="7 6"
        />
        <path d="M86 62a14 14 0 1 1 4 10" stroke="var(--color-accent-text)" strokeWidth="3" strokeLinecap="round" />
        <path d="M84 76l7-3-2-8" stroke="var(--color-accent-text)" strokeWidth="3" strokeLinecap="round" />
      </svg>
      <h1 className="mt-8 text-2xl font-semibold tracking-tight">Failed to load component</h1>
      <p className="mt-2 text-md text-muted">
        This page could not be loaded. Your data was not changed. Try again. {detail}
      </p>
      <div className="mt-7 flex flex-wrap justify-center gap-2">
        <Button kind="primary" onClick={() => location.reload()}>
          Try again
        </Button>
        <a href="/" className={buttonClass()}>
          Go to the home page
        </a>
      </div>
    </div>
  )
}
