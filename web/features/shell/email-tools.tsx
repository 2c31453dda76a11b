import { Outlet } from 'react-router'
import { channelPages } from '#web/channel-pages.ts'
import { Section } from '#web/ui/layout/section.tsx'

const links = [
  { to: channelPages.email.list, label: 'Campaigns', also: [channelPages.email.reports] },
  { to: '/senders', label: 'Senders' },
  { to: '/sending-domains', label: 'Domains' },
  { to: '/bounce-sources', label: 'Bounces' },
]

/** The pages of the email sender under one title. */
export default function EmailTools() {
  return (
    <Section title="Email Sender" links={links}>
      <Outlet />
    </Section>
  )
}
