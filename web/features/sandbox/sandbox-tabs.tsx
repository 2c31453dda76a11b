import { TabLinks } from '#web/ui/layout/tab-links.tsx'

const links = [
  { to: '/sandbox', label: 'Email' },
  { to: '/sandbox/whatsapp', label: 'WhatsApp' },
  { to: '/sandbox/whatsapp/templates', label: 'Template review' },
]

/** The parts of the sandbox: what was received by mail and on phones, and Meta's reviewer. */
export function SandboxTabs() {
  return <TabLinks label="Sandbox" links={links} className="-mt-2 mb-6" />
}
