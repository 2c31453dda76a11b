import { Link } from 'react-router'
import type { AdminUserDetail } from '#contracts/admin/admin.ts'
import { useUser } from '#web/session/queries.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { formatDay, formatMoment, formatNumber } from '#web/ui/lib/format.ts'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { useAdminUser } from './queries.ts'
import { UserActions } from './user-actions.tsx'
import { PlanBadge, UserState } from './user-badges.tsx'
import { UserForm } from './user-form.tsx'

/** One user: who they are, what is in their workspace in numbers, and what an admin may do. */
export function UserPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useAdminUser(id)
  const me = useUser()
  const user = query.data
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title={user?.name ?? (query.isError ? 'Not shown' : 'Loading...')}
      description={user?.email}
    >
      {query.isError && !user && (
        <ErrorState title="This user could not be loaded" error={query.error} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <SkeletonRows rows={8} />}
      {user && (
        <div className="space-y-6">
          <Summary user={user} />
          <Numbers user={user} />
          <UserForm
            key={`${user.plan} ${user.role} ${user.planByHand?.until}`}
            user={user}
            self={user.id === me.data?._id}
          />
          <Sessions user={user} />
          <UserActions user={user} self={user.id === me.data?._id} />
        </div>
      )}
    </SidePanel>
  )
}

function Summary({ user }: { user: AdminUserDetail }) {
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap gap-1.5">
        <UserState user={user} />
        <PlanBadge plan={user.plan} />
        {user.role === 'admin' && <Badge tone="accent">Admin</Badge>}
      </div>
      {user.suspendedAt && (
        <Banner tone="attention" title={`Suspended on ${formatMoment(user.suspendedAt)}`}>
          The user can’t log in and nothing is sent. The workspace data is kept.
        </Banner>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5">
        <Fact name="Joined">{formatDay(user.createdAt)}</Fact>
        <Fact name="Last seen">{formatMoment(user.lastSeenAt)}</Fact>
        <Fact name="Login method">{user.authProvider === 'google' ? 'Google' : 'Password'}</Fact>
        {user.planByHand && (
          <Fact name="Manual plan">
            Set on {formatDay(user.planGrantedAt)},{' '}
            {user.planByHand.until ? `until ${formatDay(user.planByHand.until)}` : 'no end date'}
          </Fact>
        )}
        {user.planClosedBy && (
          <Fact name="Plan closed">
            {user.planClosedBy.kind === 'refund' ? 'Payment refunded' : 'Payment disputed'} on{' '}
            {formatDay(user.planClosedBy.createdAt)}
          </Fact>
        )}
        <Fact name="Company">{user.workspace.company || <span className="text-muted">-</span>}</Fact>
      </dl>
      <Link
        to={`/admin/audit?user=${user.id}`}
        className="inline-block rounded-[3px] font-medium text-accent-text underline-offset-3 hover:underline"
      >
        View audit log
      </Link>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">{children}</dd>
    </>
  )
}

function Numbers({ user: { counts } }: { user: AdminUserDetail }) {
  const numbers = [
    ['Contacts', counts.contacts],
    ['Campaigns', counts.campaigns],
    ['Sent in 30 days', counts.sent30Days],
  ] as const
  return (
    <dl className="grid grid-cols-3 divide-x rounded-card border">
      {numbers.map(([name, value]) => (
        <div key={name} className="min-w-0 px-3 py-2.5">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="mt-0.5 truncate text-md font-semibold text-ink tabular-nums">{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Sessions({ user: { sessions } }: { user: AdminUserDetail }) {
  return (
    <section aria-labelledby="sessions">
      <h3 id="sessions" className="mb-1.5 text-sm font-medium text-ink">
        Logged in
      </h3>
      {sessions.length === 0 && <p className="text-muted">No active sessions.</p>}
      <ul className="divide-y rounded-card border empty:hidden">
        {sessions.map((session) => (
          <li key={`${session.createdAt} ${session.userAgent}`} className="px-3 py-2">
            <p className="truncate text-ink" title={session.userAgent}>
              {session.device}
            </p>
            <p className="text-sm text-muted">Last seen {formatMoment(session.lastSeenAt)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
