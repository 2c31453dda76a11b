import { Outlet } from 'react-router'
import { ChannelContext } from '#web/channel-pages.ts'
import { TabLinks } from '#web/ui/layout/tabs.tsx'

const links = [
  // The reports lie beside the other tabs' addresses.
  { to: '/whatsapp-sender', label: 'Campaigns', end: true, also: /^\/whatsapp-sender\/\d+\/?$/ },
  { to: '/whatsapp-sender/inbox', label: 'Inbox' },
  { to: '/whatsapp-sender/templates', label: 'Templates' },
  { to: '/whatsapp-sender/automations', label: 'Automations' },
  { to: '/whatsapp-dash', label: 'Results' },
  { to: '/whatsapp-sender/numbers', label: 'Numbers' },
]

/** The pages of the WhatsApp sender under one row of tabs, because the sidebar's entries are fixed. */
export default function WhatsAppTools() {
  return (
    <ChannelContext value="whatsapp">
      <TabLinks label="WhatsApp sender" links={links} className="-mt-2 mb-6" />
      <Outlet />
    </ChannelContext>
  )
}
