import { Navigate, Outlet } from 'react-router'
import { usePlan } from '#web/features/accounts/index.ts'
import { Spinner } from '#web/ui/spinner.tsx'

/** Free users who open a paid tool are led to the plans. */
export default function PaidOnly() {
  const plan = usePlan()
  if (!plan) return <Spinner className="py-24" />
  return plan.paid ? <Outlet /> : <Navigate to="/plan" replace />
}
