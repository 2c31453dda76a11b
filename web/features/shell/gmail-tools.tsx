import { Outlet } from 'react-router'
import { ChannelContext, channelPages } from '#web/channel-pages.ts'
import { GMAIL_ACCOUNTS } from '#web/features/gmail/index.ts'
import { Section } from '#web/ui/layout/section.tsx'

const links = [
  { to: channelPages.gmail.list, label: 'Campaigns', also: [channelPages.gmail.reports] },
  { to: GMAIL_ACCOUNTS, label: 'Accounts' },
]

/** The pages of the Gmail sender under one title; the campaigns below it are Gmail's. */
export default function GmailTools() {
  return (
    <ChannelContext value="gmail">
      <Section title="Gmail Sender" links={links}>
        <Outlet />
      </Section>
    </ChannelContext>
  )
}
