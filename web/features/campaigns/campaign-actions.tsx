import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { api, errorMessage } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { PauseButton } from '#web/ui/form/pause-button.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useChannel } from './channels/index.ts'

/** Pause, resume and cancel, as far as the campaign's state allows; one that waits for its time goes back to being a draft. */
export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const queries = useQueryClient()
  const { one } = useChannel()
  const [canceling, setCanceling] = useState(false)
  const { id, state, counts } = campaign
  const keep = (next: Campaign) => {
    queries.setQueryData(['campaigns', id], next)
    // An event may have told of newer counts meanwhile: asked again, the server tells the last.
    void queries.invalidateQueries({ queryKey: ['campaigns', id], exact: true })
    void queries.invalidateQueries({ queryKey: ['campaigns', 'list'] })
  }
  const act = useMutation({
    mutationFn: (what: 'pause' | 'resume' | 'cancel') => api(campaigns[what], { params: { id } }),
    onSuccess: keep,
    onError: (error) => toast.error(errorMessage(error)),
  })
  if (state === 'scheduled')
    return (
      <Button busy={act.isPending} onClick={() => act.mutate('cancel')}>
        Return to draft
      </Button>
    )
  if (state !== 'sending' && state !== 'paused') return null
  const waiting = counts.queued + counts.deferred
  return (
    <>
      <PauseButton isPaused={state === 'paused'} busy={act.isPending} what="sending" onPress={act.mutate} />
      <Button kind="quiet" className="text-harm-text!" onClick={() => setCanceling(true)}>
        Cancel campaign
      </Button>
      <ConfirmDialog
        open={canceling}
        onOpenChange={setCanceling}
        title="Cancel this campaign?"
        action="Cancel campaign"
        typed={campaign.name}
        onConfirm={async () => keep(await api(campaigns.cancel, { params: { id } }))}
      >
        {counts.sent > 0 ? `${plural(counts.sent, one)} already sent can’t be recalled. ` : ''}
        {waiting > 0 ? `${formatNumber(waiting)} still queued will not be sent. ` : ''}A canceled campaign can’t be
        restarted. Pause it if you are not sure.
      </ConfirmDialog>
    </>
  )
}
