import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { accounts } from '#contracts/accounts.ts'
import { api, messageOf } from '#web/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatMoment } from '#web/ui/format.ts'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toaster.tsx'

/** "Firefox on Linux", from a user agent; the whole of it when nothing is recognised. */
function deviceOf(userAgent: string): string {
  const browser = userAgent.match(/(Edg|OPR|Firefox|Chrome|Safari)/)?.[1]
  const system = userAgent.match(/(Android|iPhone|iPad|Windows|Mac OS X|Linux)/)?.[1]
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }
  if (!browser) return userAgent.slice(0, 60) || 'Unknown device'
  return `${names[browser] ?? browser}${system ? ` on ${names[system] ?? system}` : ''}`
}

/** Every session of the user, each to be ended but this one. */
export function SessionList() {
  const queries = useQueryClient()
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => api(accounts.sessions) })
  const end = useMutation({
    mutationFn: (id: string) => api(accounts.endSession, { params: { id } }),
    onSuccess: () => {
      toast.success('Session ended')
      return queries.invalidateQueries({ queryKey: ['sessions'] })
    },
    onError: (error) => toast.error(messageOf(error)),
  })
  if (sessions.isError)
    return (
      <ErrorState title="The sessions could not be loaded" error={sessions.error} onRetry={() => sessions.refetch()} />
    )
  if (!sessions.data) return <SkeletonRows rows={2} />
  return (
    <ul className="divide-y border-t">
      {sessions.data.items.map((session) => (
        <li key={session.id} className="flex items-center gap-4 px-5 py-3 text-base">
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium text-ink" title={session.userAgent}>
              {deviceOf(session.userAgent)}
            </p>
            <p className="text-sm text-muted">Last seen {formatMoment(session.lastSeenAt)}</p>
          </div>
          {session.current ? (
            <Badge tone="good" shape="check">
              This session
            </Badge>
          ) : (
            <Button
              size="sm"
              busy={end.isPending && end.variables === session.id}
              onClick={() => end.mutate(session.id)}
            >
              End session
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
