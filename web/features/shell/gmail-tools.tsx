import { Outlet } from 'react-router'
import { ChannelContext, channels } from '#web/features/campaigns/index.ts'
import { TabLinks } from '#web/ui/layout/tabs.tsx'

const links = [
  { to: '/gmail-sender', label: 'Accounts', end: true },
  { to: channels.gmail.wizard, label: 'New campaign' },
  { to: channels.gmail.list, label: 'Campaigns' },
]

/** The pages of the Gmail sender under one row of tabs; the campaigns below it are Gmail's. */
export default function GmailTools() {
  return (
    <ChannelContext value={channels.gmail}>
      <TabLinks label="Gmail sender" links={links} className="-mt-2 mb-6" />
      <Outlet />
    </ChannelContext>
  )
}
