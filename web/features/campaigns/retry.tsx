import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Campaign, campaigns } from '#contracts/campaigns.ts'
import { api, messageOf } from '#web/api.ts'
import { Banner, FormBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { plural } from '#web/ui/format.ts'
import { toast } from '#web/ui/toaster.tsx'
import { useChannel } from './channels.ts'

type Which = 'failed' | 'unconfirmed'

/** What can be tried again once a campaign rests, and what that would mean. */
export function RetryBanner({ campaign }: { campaign: Campaign }) {
  const { one, taker } = useChannel()
  const [asking, setAsking] = useState<Which | null>(null)
  const { failed, unconfirmed } = campaign.counts
  const rests = campaign.state === 'sent' || campaign.state === 'failed'
  if (!rests || failed + unconfirmed === 0) return null
  return (
    <>
      {unconfirmed > 0 && (
        <Banner
          tone="attention"
          title={`For ${plural(unconfirmed, 'person', 'people')} the outcome is unknown`}
          action={
            <Button size="sm" onClick={() => setAsking('unconfirmed')}>
              Send to them again
            </Button>
          }
        >
          The connection ended after the {one} was handed over and before {taker} answered. They are never sent to again
          unasked.
        </Banner>
      )}
      {failed > 0 && (
        <Banner
          title={`${plural(failed, one)} could not be delivered`}
          action={
            <Button size="sm" onClick={() => setAsking('failed')}>
              Try them again
            </Button>
          }
        >
          The list below has the reason for each, in {taker === 'WhatsApp' ? 'Meta’s' : 'the mail server’s'} words.
        </Banner>
      )}
      {asking && <RetryDialog campaign={campaign} which={asking} onClose={() => setAsking(null)} />}
    </>
  )
}

function RetryDialog({ campaign, which, onClose }: { campaign: Campaign; which: Which; onClose: () => void }) {
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
      title={which === 'failed' ? `Try ${people} again?` : `Send again to ${people}?`}
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>Leave it</Button>
          <Button kind="primary" busy={retry.isPending} onClick={() => retry.mutate()}>
            {which === 'failed' ? `Try ${people} again` : `Send again to ${people}`}
          </Button>
        </>
      }
    >
      {retry.isError && <FormBanner error={messageOf(retry.error)} />}
      <p className="py-1 text-text">
        {which === 'failed'
          ? `Each of them is tried once more. Whom ${taker} refused for good will most likely be refused again; many refusals hurt your name as a sender.`
          : `Some of them have the ${one} already, and will get it twice. Nobody can tell which.`}
      </p>
    </Dialog>
  )
}
