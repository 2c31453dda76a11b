import { Outlet } from 'react-router'
import { ChannelContext, channelPages } from '#web/channel-pages.ts'
import { GMAIL_ACCOUNTS } from '#web/features/gmail/index.ts'
import { TabLinks } from '#web/ui/layout/tabs.tsx'

const links = [
  { to: channelPages.gmail.list, label: 'Campaigns', end: true, also: /^\/gmail-sender\/campaigns/ },
  { to: GMAIL_ACCOUNTS, label: 'Accounts', also: /^\/gmail-sender\/setup/ },
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
