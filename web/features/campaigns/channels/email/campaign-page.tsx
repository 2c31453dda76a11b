import { CampaignPage } from '../../report/campaign-view.tsx'

export const meta = () => [{ title: 'Campaign · Postlark' }]

/** An email's campaign. It stands in a file of its own, because a route's component is given the route's props only. */
export default function MailCampaignPage() {
  return <CampaignPage />
}
