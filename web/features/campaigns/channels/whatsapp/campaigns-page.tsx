import { CampaignsPage } from '#web/features/campaigns/index.ts'
import { NeedsNumber } from '#web/features/whatsapp/index.ts'

export const meta = () => [{ title: 'WhatsApp campaigns · Postlark' }]

/** All WhatsApp campaigns; without a number, how to connect one. */
export default function WhatsAppCampaignsPage() {
  return (
    <NeedsNumber title="Campaigns" what="Connect your own WhatsApp number to send campaigns.">
      <CampaignsPage />
    </NeedsNumber>
  )
}
