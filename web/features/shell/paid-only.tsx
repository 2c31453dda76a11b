import { Navigate, Outlet, useLocation } from 'react-router'
import { usePlan } from '#web/session/queries.ts'
import { Spinner } from '#web/ui/feedback/spinner.tsx'

/** Free users who open a paid tool are led to the plans, and back here once one is paid. */
export default function PaidOnly() {
  const plan = usePlan()
  const { pathname } = useLocation()
  if (!plan) return <Spinner className="py-24" />
  return plan.paid ? <Outlet /> : <Navigate to="/plan" replace state={{ tool: pathname }} />
}
