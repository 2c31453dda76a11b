import { Outlet } from 'react-router'
import { TabLinks } from '#web/ui/tabs.tsx'

const links = [
  { to: '/whatsapp-sender', label: 'Send' },
  { to: '/whatsapp-dash', label: 'Campaigns and answers' },
]

/** The pages of the WhatsApp sender under one row of tabs. */
export default function WhatsAppTools() {
  return (
    <>
      <TabLinks label="WhatsApp sender" links={links} className="-mt-2 mb-6" />
      <Outlet />
    </>
  )
}
