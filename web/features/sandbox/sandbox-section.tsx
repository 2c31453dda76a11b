import { Section } from '#web/ui/layout/section.tsx'

const links = [
  { to: '/sandbox', label: 'Email' },
  { to: '/sandbox/whatsapp', label: 'WhatsApp' },
  { to: '/sandbox/whatsapp/templates', label: 'Template review' },
]

/** The parts of the sandbox under one title: what was received by mail and on phones, and Meta's reviewer. */
export function SandboxSection({ children }: { children: React.ReactNode }) {
  return (
    <Section title="Sandbox" links={links}>
      {children}
    </Section>
  )
}
