import { useState } from 'react'
import { type AdminUserDetail, admin } from '#contracts/admin/admin.ts'
import { api, errorMessage } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useUserAction } from './queries.ts'

interface UserActionsProps {
  user: AdminUserDetail
  self: boolean
}

/** What an admin may do to a user besides plan and role. Only suspending asks first: the rest harms nothing. */
export function UserActions({ user, self }: UserActionsProps) {
  const [suspending, setSuspending] = useState(false)
  const params = { id: user.id }
  const change = useUserAction((body: { suspended?: boolean; verified?: boolean }) =>
    api(admin.changeUser, { params, body }),
  )
  const mail = useUserAction(() => api(admin.sendVerification, { params }))
  const signOut = useUserAction(() => api(admin.endSessions, { params }))
  const failed = (error: Error) => void toast.error(errorMessage(error))
  return (
    <section aria-label="Actions" className="flex flex-wrap gap-2 border-t pt-5">
      {!user.verified && (
        <>
          <Button
            size="sm"
            busy={mail.isPending}
            onClick={() => mail.mutate(undefined, { onSuccess: ({ message }) => void toast(message), onError: failed })}
          >
            Resend confirmation email
          </Button>
          <Button
            size="sm"
            busy={change.isPending && change.variables.verified === true}
            onClick={() =>
              change.mutate(
                { verified: true },
                { onSuccess: () => void toast.success('Email address confirmed'), onError: failed },
              )
            }
          >
            Confirm email
          </Button>
        </>
      )}
      {user.sessions.length > 0 && (
        <Button
          size="sm"
          busy={signOut.isPending}
          onClick={() =>
            signOut.mutate(undefined, {
              onSuccess: ({ ended }) => void toast.success(`${plural(ended, 'session')} ended`),
              onError: failed,
            })
          }
        >
          {self ? 'End my other sessions' : 'Log out everywhere'}
        </Button>
      )}
      {user.suspendedAt ? (
        <Button
          size="sm"
          kind="primary"
          busy={change.isPending && change.variables.suspended === false}
          onClick={() =>
            change.mutate(
              { suspended: false },
              { onSuccess: () => void toast.success('Account reactivated'), onError: failed },
            )
          }
        >
          Reactivate account
        </Button>
      ) : (
        !self && (
          <Button size="sm" kind="danger" onClick={() => setSuspending(true)}>
            Suspend
          </Button>
        )
      )}
      <ConfirmDialog
        open={suspending}
        onOpenChange={setSuspending}
        title={`Suspend ${user.email}?`}
        action="Suspend account"
        onConfirm={async () => {
          await change.mutateAsync({ suspended: true })
          toast.success('Account suspended')
        }}
      >
        <ul className="list-disc space-y-1 pl-5">
          <li>All sessions end immediately, and the user can’t log in.</li>
          <li>Running campaigns pause, and scheduled campaigns do not start.</li>
          <li>Nothing is deleted. You can reactivate the account.</li>
        </ul>
      </ConfirmDialog>
    </section>
  )
}
