import { CampaignsPage } from '#web/features/campaigns/index.ts'
import { NeedsNumber } from './needs-number.tsx'

export const meta = () => [{ title: 'WhatsApp campaigns · Postlark' }]

/** All WhatsApp campaigns; without a number, how to connect one. */
export default function WhatsAppCampaignsPage() {
  return (
    <NeedsNumber title="Campaigns" what="Campaigns leave from a number of your own.">
      <CampaignsPage />
    </NeedsNumber>
  )
}
