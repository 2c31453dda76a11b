import { TabLinks } from '#web/ui/tabs.tsx'

const links = [
  { to: '/sandbox', label: 'Mail', end: true },
  { to: '/sandbox/whatsapp', label: 'WhatsApp' },
]

/** The two halves of the sandbox. */
export function SandboxTabs() {
  return <TabLinks label="Sandbox" links={links} className="-mt-2 mb-6" />
}
