import { CampaignPage } from '#web/features/campaigns/index.ts'
import { GmailReport } from './follow-up-figures.tsx'

export const meta = () => [{ title: 'Gmail campaign · Postlark' }]

export default function GmailCampaignPage() {
  return <CampaignPage report={GmailReport} />
}
