import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { api, errorMessage } from '#web/api.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useChannel } from '../channels/index.ts'

type RetryState = 'failed' | 'unconfirmed'

/** What can be tried again once a campaign rests, and what that would mean. */
export function RetryBanner({ campaign }: { campaign: Campaign }) {
  const { one, taker, rejectedBy } = useChannel()
  const [asking, setAsking] = useState<RetryState | null>(null)
  const { failed, unconfirmed } = campaign.counts
  const rests = campaign.state === 'sent' || campaign.state === 'failed'
  if (!rests || failed + unconfirmed === 0 || campaign.isSample) return null
  return (
    <>
      {unconfirmed > 0 && (
        <Banner
          tone="attention"
          title={`${plural(unconfirmed, 'unconfirmed message')}`}
          action={
            <Button size="sm" onClick={() => setAsking('unconfirmed')}>
              Send again
            </Button>
          }
        >
          The connection ended after the {one} was handed over and before {taker} replied. These messages are only sent
          again if you choose to.
        </Banner>
      )}
      {failed > 0 && (
        <Banner
          title={`${plural(failed, one)} could not be delivered`}
          action={
            <Button size="sm" onClick={() => setAsking('failed')}>
              Retry
            </Button>
          }
        >
          The reasons from {rejectedBy} are in the list below.
        </Banner>
      )}
      {asking && <RetryDialog campaign={campaign} which={asking} onClose={() => setAsking(null)} />}
    </>
  )
}

function RetryDialog({ campaign, which, onClose }: { campaign: Campaign; which: RetryState; onClose: () => void }) {
  const queries = useQueryClient()
  const { one, taker } = useChannel()
  const people = plural(campaign.counts[which], 'person', 'people')
  const retry = useMutation({
    mutationFn: () => api(campaigns.retry, { params: { id: campaign.id }, body: { states: [which] } }),
    onSuccess: ({ queued }) => {
      toast.success(`${plural(queued, 'person', 'people')} queued again`)
      void queries.invalidateQueries({ queryKey: ['campaigns', campaign.id] })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={which === 'failed' ? `Retry ${people}?` : `Send again to ${people}?`}
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={retry.isPending} onClick={() => retry.mutate()}>
            {which === 'failed' ? `Retry ${people}` : `Send again to ${people}`}
          </Button>
        </>
      }
    >
      {retry.isError && <FormBanner error={errorMessage(retry.error)} />}
      <p className="py-1 text-text">
        {which === 'failed'
          ? `Each of them is tried once more. Addresses that ${taker} rejected permanently will most likely be rejected again. Repeated rejections hurt your sender reputation.`
          : `Some of them may already have the ${one} and would get it twice. We can’t tell which.`}
      </p>
    </Dialog>
  )
}
