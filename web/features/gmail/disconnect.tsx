import { useQueryClient } from '@tanstack/react-query'
import { senders } from '#contracts/senders.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toaster.tsx'
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
        toast.success(`${account.fromEmail} is disconnected`)
      }}
    >
      {account.gmail.access === 'oauth'
        ? 'The permission is taken back at Google and the tokens are forgotten. '
        : 'The app password is forgotten here; delete it at Google too. '}
      Drafts that use it will ask for another account. What was sent stays in the reports.
    </ConfirmDialog>
  )
}
