import { isRouteErrorResponse, Outlet } from 'react-router'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import type { Route } from './+types/shell-content.ts'

/** Keeps a page that fails inside the frame. */
export default function ShellContent() {
  return <Outlet />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const shown = isRouteErrorResponse(error) ? new Error(`${error.status} ${error.statusText}`) : error
  return <ErrorState title="Failed to load component" error={shown} onRetry={() => location.reload()} />
}
