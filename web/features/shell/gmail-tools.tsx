import { Outlet } from 'react-router'
import { ChannelContext, channelPages } from '#web/channel-pages.ts'
import { TabLinks } from '#web/ui/layout/tabs.tsx'

const links = [
  { to: '/gmail-sender', label: 'Accounts', end: true },
  { to: channelPages.gmail.wizard, label: 'New campaign' },
  { to: channelPages.gmail.list, label: 'Campaigns' },
]

/** The pages of the Gmail sender under one row of tabs; the campaigns below it are Gmail's. */
export default function GmailTools() {
  return (
    <ChannelContext value="gmail">
      <TabLinks label="Gmail sender" links={links} className="-mt-2 mb-6" />
      <Outlet />
    </ChannelContext>
  )
}
