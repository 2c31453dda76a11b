import { CampaignPage } from '#web/features/campaigns/index.ts'
import { Report } from './report.tsx'

export const meta = () => [{ title: 'WhatsApp campaign · Postlark' }]

/** A WhatsApp campaign on its way and afterwards. */
export default function WhatsAppCampaignPage() {
  return <CampaignPage report={Report} />
}
