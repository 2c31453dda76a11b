import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { accounts, type Session } from '#contracts/accounts.ts'
import { api, messageOf } from '#web/api.ts'
import { clearSession } from '#web/session.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatAgo, formatMoment } from '#web/ui/format.ts'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toaster.tsx'

/** Every session of the user, each to be ended but this one, and all of them at once. */
export function SessionList() {
  const [leaving, setLeaving] = useState(false)
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => api(accounts.sessions) })
  if (sessions.isError)
    return (
      <ErrorState title="The sessions could not be loaded" error={sessions.error} onRetry={() => sessions.refetch()} />
    )
  if (!sessions.data) return <SkeletonRows rows={2} />
  return (
    <>
      <ul className="divide-y border-y">
        {sessions.data.items.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
        <p className="min-w-0 flex-1 basis-60 text-sm text-muted">
          Do you see one that is not yours? Sign out everywhere, then change your password.
        </p>
        <Button onClick={() => setLeaving(true)}>Sign out everywhere</Button>
      </div>
      <ConfirmDialog
        open={leaving}
        onOpenChange={setLeaving}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        // The shell leads to the login page once the session is gone.
        onConfirm={() => api(accounts.endSessions).then(clearSession)}
      >
        Every browser and device has to log in again, this one too. Campaigns that are being sent go on.
      </ConfirmDialog>
    </>
  )
}

function SessionRow({ session }: { session: Session }) {
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: () => api(accounts.endSession, { params: { id: session.id } }),
    onSuccess: () => {
      toast.success('Session ended')
      return queries.invalidateQueries({ queryKey: ['sessions'] })
    },
    onError: (error) => toast.error(messageOf(error)),
  })
  const Icon = /Android|iOS/.test(session.device) ? Smartphone : Monitor
  return (
    <li className="flex items-center gap-3.5 px-5 py-3 text-base">
      <Icon aria-hidden="true" className="size-4.5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium text-ink" title={session.userAgent}>
          {session.device}
        </p>
        <p className="text-sm text-muted">
          {!session.current && (
            <>
              Last seen{' '}
              <time dateTime={session.lastSeenAt} title={formatMoment(session.lastSeenAt)}>
                {formatAgo(session.lastSeenAt)}
              </time>
              {' · '}
            </>
          )}
          Signed in{' '}
          <time dateTime={session.createdAt} title={formatMoment(session.createdAt)}>
            {formatAgo(session.createdAt)}
          </time>
        </p>
      </div>
      {session.current ? (
        <Badge tone="good" shape="check">
          This session
        </Badge>
      ) : (
        <Button
          size="sm"
          busy={end.isPending}
          aria-label={`End session, ${session.device}`}
          onClick={() => end.mutate()}
        >
          End session
        </Button>
      )}
    </li>
  )
}
