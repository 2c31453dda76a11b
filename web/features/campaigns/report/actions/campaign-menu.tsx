import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy, MoreHorizontal, Share2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { CampaignSummary } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import { api, errorMessage } from '#web/api.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { exportFile } from '#web/export-file.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { channels, useChannel } from '../../channels/index.ts'
import { EMAIL_VIEW } from '../email-preview.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { ResendDialog } from './resend-dialog.tsx'
import { ShareDialog } from './share-dialog.tsx'

type OpenDialog = 'rename' | 'remove' | 'resend'

/** Makes a copy and opens it. */
function useDuplicate({ id }: CampaignSummary) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api(campaignReports.duplicate, { params: { id } }),
    onSuccess: (copy) => {
      void queries.invalidateQueries({ queryKey: ['campaigns', 'list'] })
      toast.success(`Created ${copy.name}`)
      void navigate(campaignLink(copy))
    },
    onError: (error) => toast.error(errorMessage(error)),
  })
}

const exportRecipients = (id: string) =>
  exportFile(() => api(campaigns.exportMessages, { params: { id }, query: {} }), 'recipients.csv')

/** Whether it is known who responded: only then can the others be written to again. */
const isResponseKnown = ({ trackOpens, trackClicks, trackingMode }: CampaignSummary) =>
  trackingMode === 'individual' && (trackOpens || trackClicks)

const RUNNING = ['sending', 'scheduled', 'paused']

/** What can be done with a campaign whatever its state. `isInList`: from its row, not from its own page. */
export function CampaignMenu({ campaign, isInList = false }: { campaign: CampaignSummary; isInList?: boolean }) {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const duplicate = useDuplicate(campaign)
  const close = () => setDialog(null)
  const isSent = campaign.state !== 'draft' && campaign.state !== 'scheduled'
  const canResend = campaign.channel !== 'whatsapp' && (campaign.state === 'sent' || campaign.state === 'cancelled')
  return (
    <>
      <Menu
        trigger={
          <IconButton size={isInList ? 'sm' : 'md'} label={isInList ? `Actions for ${campaign.name}` : 'More actions'}>
            <MoreHorizontal aria-hidden="true" className="size-4" />
          </IconButton>
        }
      >
        {isInList && <MenuLink to={campaignLink(campaign)}>{campaign.state === 'draft' ? 'Edit' : 'Report'}</MenuLink>}
        {isInList && <MenuItem onSelect={() => duplicate.mutate()}>Duplicate</MenuItem>}
        {canResend && (
          <MenuItem disabled={!isResponseKnown(campaign)} onSelect={() => setDialog('resend')}>
            <span>
              Resend to people who didn’t respond
              {!isResponseKnown(campaign) && (
                <span className="block text-sm">Unknown because tracking was off or counted totals only</span>
              )}
            </span>
          </MenuItem>
        )}
        {!isInList && isSent && campaign.channel !== 'whatsapp' && <MenuLink to={EMAIL_VIEW}>View email</MenuLink>}
        {!isInList && isSent && (
          <MenuItem onSelect={() => void exportRecipients(campaign.id)}>Export recipients</MenuItem>
        )}
        {!campaign.isSample && <MenuItem onSelect={() => setDialog('rename')}>Rename</MenuItem>}
        {!RUNNING.includes(campaign.state) && (
          <>
            <MenuSeparator />
            <MenuItem harm onSelect={() => setDialog('remove')}>
              Remove
            </MenuItem>
          </>
        )}
      </Menu>
      {dialog === 'rename' && <RenameDialog campaign={campaign} onClose={close} />}
      {dialog === 'resend' && <ResendDialog campaign={campaign} onClose={close} />}
      {dialog === 'remove' && <RemoveDialog campaign={campaign} isInList={isInList} onClose={close} />}
    </>
  )
}

/** What can be done from the report of a campaign. */
export function ReportActions({ campaign }: { campaign: CampaignSummary }) {
  const [isSharing, setIsSharing] = useState(false)
  const duplicate = useDuplicate(campaign)
  return (
    <>
      {campaign.state !== 'scheduled' && (
        <Button icon={<Share2 aria-hidden="true" className="size-4" />} onClick={() => setIsSharing(true)}>
          Share
        </Button>
      )}
      <Button
        icon={<Copy aria-hidden="true" className="size-4" />}
        busy={duplicate.isPending}
        onClick={() => duplicate.mutate()}
      >
        Duplicate
      </Button>
      <CampaignMenu campaign={campaign} />
      {isSharing && <ShareDialog campaign={campaign} onClose={() => setIsSharing(false)} />}
    </>
  )
}

function RemoveDialog({
  campaign,
  isInList,
  onClose,
}: {
  campaign: CampaignSummary
  isInList: boolean
  onClose: () => void
}) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { list } = useChannel()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove ${campaign.name}?`}
      action="Remove campaign"
      typed={campaign.name}
      onConfirm={async () => {
        await api(campaigns.remove, { params: { id: campaign.id } })
        if (!isInList) await navigate(list)
        await queries.invalidateQueries({ queryKey: ['campaigns', 'list'] })
      }}
    >
      {campaign.state === 'draft'
        ? 'This deletes the draft. Its template and lists are not deleted.'
        : channels[campaign.channel].removal}
    </ConfirmDialog>
  )
}
