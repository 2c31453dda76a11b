import { Outlet } from 'react-router'
import { TabLinks } from '#web/ui/layout/tabs.tsx'

const links = [
  { to: '/email-sender', label: 'Campaigns', also: /^\/mail-dash/ },
  { to: '/contacts', label: 'Contacts' },
  { to: '/my-templates', label: 'Templates' },
  { to: '/senders', label: 'Senders' },
]

/** The pages of the email sender under one row of tabs, because the sidebar's entries are fixed. */
export default function EmailTools() {
  return (
    <>
      <TabLinks label="Email sender" links={links} className="-mt-2 mb-6" />
      <Outlet />
    </>
  )
}
