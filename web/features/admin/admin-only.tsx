import { Navigate, useLocation } from 'react-router'
import { useUser } from '#web/session/queries.ts'
import { isLive, useToken } from '#web/session/session.ts'
import { Spinner } from '#web/ui/feedback/spinner.tsx'

/** docs/specification.md, 6: waits while the user loads; nobody goes to /login and comes back here after it; who is no admin goes to /. */
export function AdminOnly({ children }: { children: React.ReactNode }) {
  const token = useToken()
  const location = useLocation()
  const live = isLive(token ?? null)
  const user = useUser(live)
  if ((token !== undefined && !live) || user.isError) return <Navigate to="/login" replace state={{ from: location }} />
  if (!user.data) return <Spinner className="py-24" />
  if (user.data.role !== 'admin') return <Navigate to="/" replace />
  return <>{children}</>
}
