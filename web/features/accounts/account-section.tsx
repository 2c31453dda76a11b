import { Outlet } from 'react-router'
import { Section } from '#web/ui/layout/section.tsx'

const links = [
  { to: '/account', label: 'Profile' },
  { to: '/account/security', label: 'Security' },
  { to: '/account/workspace', label: 'Workspace' },
  { to: '/account/data', label: 'Data' },
]

/** The pages of the user's own account under one title. */
export default function AccountSection() {
  return (
    <Section title="Account" links={links}>
      <div className="max-w-3xl space-y-5">
        <Outlet />
      </div>
    </Section>
  )
}
