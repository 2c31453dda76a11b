import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { accounts, type Session } from '#contracts/accounts/accounts.ts'
import { api, errorMessage } from '#web/api.ts'
import { clearSession } from '#web/session/session.ts'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

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
          If you see a session that is not yours, log out everywhere and change your password.
        </p>
        <Button onClick={() => setLeaving(true)}>Log out everywhere</Button>
      </div>
      <ConfirmDialog
        open={leaving}
        onOpenChange={setLeaving}
        title="Log out everywhere?"
        action="Log out everywhere"
        // The shell leads to the login page once the session is gone.
        onConfirm={() => api(accounts.endSessions).then(clearSession)}
      >
        All browsers and devices have to log in again, including this one. Campaigns that are sending continue.
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
    onError: (error) => toast.error(errorMessage(error)),
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
              Last seen <TimeAgo at={session.lastSeenAt} />
              {' · '}
            </>
          )}
          Logged in <TimeAgo at={session.createdAt} />
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
