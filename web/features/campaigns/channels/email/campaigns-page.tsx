import { Navigate, useLocation } from 'react-router'
import { channelPages } from '#web/channel-pages.ts'
import CampaignsPage from '../../campaigns-page.tsx'

export const meta = () => [{ title: 'Email campaigns · Postlark' }]

/** All email campaigns. Addresses of drafts from when the wizard was here still open their draft. */
export default function EmailCampaignsPage() {
  const { search } = useLocation()
  const asked = new URLSearchParams(search)
  if (asked.has('id') || asked.has('step')) return <Navigate replace to={`${channelPages.email.wizard}${search}`} />
  return <CampaignsPage />
}
