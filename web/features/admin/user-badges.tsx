import type { AdminUser } from '#contracts/admin.ts'
import { isPaid } from '#contracts/plans.ts'
import { Badge } from '#web/ui/badge.tsx'
import { capital } from './words.ts'

/** Whether somebody can sign in, and why not. */
export function UserState({ user }: { user: Pick<AdminUser, 'suspendedAt' | 'verified'> }) {
  if (user.suspendedAt)
    return (
      <Badge tone="harm" shape="pause">
        suspended
      </Badge>
    )
  if (!user.verified)
    return (
      <Badge tone="attention" shape="dashed">
        not confirmed
      </Badge>
    )
  return (
    <Badge tone="good" shape="check">
      active
    </Badge>
  )
}

/** The plan's name; paid ones stand out. */
export function PlanBadge({ plan }: { plan: string }) {
  return <Badge tone={isPaid(plan) ? 'accent' : 'neutral'}>{capital(plan)}</Badge>
}
