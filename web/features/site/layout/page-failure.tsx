import { isRouteErrorResponse } from 'react-router'
import { Button, buttonClass } from '#web/ui/form/button.tsx'
import { PageMessage } from './page-message.tsx'

/** When a page cannot be shown: its code did not come, or it failed. Plain ways on, because the router itself may be what failed. */
export function PageFailure({ error }: { error: unknown }) {
  const detail = isRouteErrorResponse(error)
    ? `The server responded with ${error.status} ${error.statusText}.`
    : import.meta.env.DEV && error instanceof Error
      ? error.message
      : ''
  return (
    <PageMessage
      role="alert"
      dashed
      drawing={
        <>
          <path d="M86 62a14 14 0 1 1 4 10" stroke="var(--color-accent-text)" strokeWidth="3" strokeLinecap="round" />
          <path d="M84 76l7-3-2-8" stroke="var(--color-accent-text)" strokeWidth="3" strokeLinecap="round" />
        </>
      }
      title="Failed to load component"
      text={<>This page could not be loaded. Your data was not changed. Try again. {detail}</>}
    >
      <Button kind="primary" onClick={() => location.reload()}>
        Try again
      </Button>
      <a href="/" className={buttonClass()}>
        Go to the home page
      </a>
    </PageMessage>
  )
}
