import { Navigate, useLocation } from 'react-router'
import { CampaignsPage } from '#web/features/campaigns/index.ts'
import { GMAIL_ACCOUNTS, useAccounts } from '#web/features/gmail/index.ts'

export const meta = () => [{ title: 'Gmail campaigns · Postlark' }]

const connectFirst = {
  title: 'No Gmail account connected',
  text: 'Sign in with Google and allow Postlark to send. Your password stays with Google.',
  to: GMAIL_ACCOUNTS,
  label: 'Connect Gmail',
}

/** All Gmail campaigns; without an account, where to connect one. Google's consent page used to lead back here. */
export default function GmailCampaignsPage() {
  const { search } = useLocation()
  const { accounts } = useAccounts()
  const asked = new URLSearchParams(search)
  if (asked.has('connected') || asked.has('error')) return <Navigate replace to={`${GMAIL_ACCOUNTS}${search}`} />
  return <CampaignsPage before={accounts?.length === 0 ? connectFirst : undefined} />
}
