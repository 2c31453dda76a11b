import { Outlet } from 'react-router'
import { ChannelContext, channelPages } from '#web/channel-pages.ts'
import { Section } from '#web/ui/layout/section.tsx'

const links = [
  { to: channelPages.whatsapp.list, label: 'Campaigns' },
  { to: '/whatsapp-sender/templates', label: 'Templates' },
  { to: '/whatsapp-sender/automations', label: 'Automations' },
  { to: '/whatsapp-dash', label: 'Results' },
  { to: '/whatsapp-sender/numbers', label: 'Numbers' },
]

/** The pages of the WhatsApp sender under one title; the campaigns below it are WhatsApp's. */
export default function WhatsAppTools() {
  return (
    <ChannelContext value="whatsapp">
      <Section title="WhatsApp Sender" links={links}>
        <Outlet />
      </Section>
    </ChannelContext>
  )
}
