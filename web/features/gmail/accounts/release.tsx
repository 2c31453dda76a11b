import { useMutation, useQueryClient } from '@tanstack/react-query'
import { senders } from '#contracts/senders/senders.ts'
import { api, errorMessage } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import type { Account } from './queries.ts'

/** Lets an account send again whose mail was refused as unwanted too often. */
export function Release({ account }: { account: Account }) {
  const queries = useQueryClient()
  const go = useMutation({
    mutationFn: () => api(senders.release, { params: { id: account.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['senders'] })
      toast.success(`${account.fromEmail} can send again. Resume its campaigns.`)
    },
    onError: (error) => toast.error(errorMessage(error)),
  })
  return (
    <Button size="sm" kind="primary" busy={go.isPending} onClick={() => go.mutate()}>
      Allow sending again
    </Button>
  )
}
