import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CampaignSummary } from '#contracts/campaigns/campaign.ts'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import { api, errorMessage } from '#web/api.ts'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { formatDay } from '#web/ui/lib/format.ts'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

const expiries = [
  { days: '30', label: 'In 30 days' },
  { days: '7', label: 'In 7 days' },
  { days: '90', label: 'In 90 days' },
  { days: '', label: 'Never' },
]

/** Makes read-only links to a report, and revokes them. */
export function ShareDialog({ campaign: { id }, onClose }: { campaign: CampaignSummary; onClose: () => void }) {
  const queries = useQueryClient()
  const queryKey = ['campaign-shares', id]
  const shares = useQuery({ queryKey, queryFn: () => api(campaignReports.shares, { params: { id } }) })
  const [days, setDays] = useState('30')
  const create = useMutation({
    mutationFn: () =>
      api(campaignReports.share, { params: { id }, body: { expiresInDays: days === '' ? null : Number(days) } }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  })
  const revoke = useMutation({
    mutationFn: (shareId: string) => api(campaignReports.unshare, { params: { id, shareId } }),
    onSuccess: (_, shareId) => {
      if (create.data?.id === shareId) create.reset()
      toast.success('Link revoked')
      return queries.invalidateQueries({ queryKey })
    },
    onError: (error) => toast.error(errorMessage(error)),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Share report"
      description="Anyone with the link can see the figures and the email, but no recipients."
    >
      <div className="space-y-5 pb-4">
        {create.isError && <FormBanner error={errorMessage(create.error)} />}
        {create.data ? (
          <NewLink url={create.data.url} />
        ) : (
          <div className="flex flex-wrap items-end gap-3">
            <Field label="Link expires" className="w-44">
              <Select value={days} onChange={(event) => setDays(event.target.value)}>
                {expiries.map((one) => (
                  <option key={one.label} value={one.days}>
                    {one.label}
                  </option>
                ))}
              </Select>
            </Field>
            <Button kind="primary" busy={create.isPending} onClick={() => create.mutate()}>
              Create link
            </Button>
          </div>
        )}
        {shares.isPending && <SkeletonRows rows={1} />}
        {shares.isError && (
          <ErrorState title="The links could not be loaded" error={shares.error} onRetry={() => shares.refetch()} />
        )}
        {shares.data && shares.data.items.length > 0 && (
          <section aria-label="Active links">
            <h3 className="mb-1 text-sm font-medium text-muted">Active links</h3>
            <ul className="divide-y rounded-card border">
              {shares.data.items.map((share) => (
                <li key={share.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5">
                  <p className="min-w-0 text-base text-ink">
                    Created <TimeAgo at={share.createdAt} />
                    <span className="block text-sm text-muted">
                      {share.expiresAt ? `Expires ${formatDay(share.expiresAt)}` : 'Does not expire'}
                      {' · '}
                      {share.lastViewedAt ? (
                        <>
                          Last viewed <TimeAgo at={share.lastViewedAt} />
                        </>
                      ) : (
                        'Not viewed yet'
                      )}
                    </span>
                  </p>
                  <Button
                    size="sm"
                    busy={revoke.isPending && revoke.variables === share.id}
                    onClick={() => revoke.mutate(share.id)}
                  >
                    Revoke
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  )
}

function NewLink({ url }: { url: string }) {
  return (
    <Field label="Link" hint="Copy it now. It isn’t shown again.">
      <div className="flex gap-2">
        <Input readOnly aria-label="Link" value={url} onFocus={(event) => event.target.select()} />
        <CopyButton text={url} kind="primary">
          Copy link
        </CopyButton>
      </div>
    </Field>
  )
}
