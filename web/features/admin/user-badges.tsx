import type { AdminUser } from '#contracts/admin/admin.ts'
import { isPaid } from '#contracts/billing/plans.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { capital } from './labels.ts'

/** Whether somebody can sign in, and why not. */
export function UserState({ user }: { user: Pick<AdminUser, 'suspendedAt' | 'verified'> }) {
  if (user.suspendedAt)
    return (
      <Badge tone="harm" shape="pause">
        Suspended
      </Badge>
    )
  if (!user.verified)
    return (
      <Badge tone="attention" shape="dashed">
        Not confirmed
      </Badge>
    )
  return (
    <Badge tone="good" shape="check">
      Active
    </Badge>
  )
}

/** The plan's name; paid ones stand out. */
export function PlanBadge({ plan }: { plan: string }) {
  return <Badge tone={isPaid(plan) ? 'accent' : 'neutral'}>{capital(plan)}</Badge>
}
