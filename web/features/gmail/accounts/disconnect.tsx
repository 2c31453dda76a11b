import { useQueryClient } from '@tanstack/react-query'
import { senders } from '#contracts/senders/senders.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import type { Account } from './queries.ts'

/** Takes an account away and ends its permission at Google. */
export function Disconnect({ account, onClose }: { account: Account; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Disconnect ${account.fromEmail}?`}
      action="Disconnect account"
      typed={account.fromEmail}
      onConfirm={async () => {
        await api(senders.remove, { params: { id: account.id } })
        await queries.invalidateQueries({ queryKey: ['senders'] })
        toast.success(`${account.fromEmail} disconnected`)
      }}
    >
      {account.gmail.access === 'oauth'
        ? 'The permission is revoked at Google and the tokens are deleted. '
        : 'The app password is deleted here. Delete it at Google too. '}
      Drafts that use it will need another account. A scheduled, sending or paused campaign has to be canceled or given
      another account first. Sent emails stay in your reports.
    </ConfirmDialog>
  )
}
