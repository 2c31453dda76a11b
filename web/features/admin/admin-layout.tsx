import { Outlet } from 'react-router'
import { Section } from '#web/ui/layout/section.tsx'
import { AdminOnly } from './admin-only.tsx'

const links = [
  { to: '/admin/users', label: 'Users' },
  { to: '/admin/health', label: 'Health' },
  { to: '/admin/audit', label: 'Audit log' },
  { to: '/admin/revenue', label: 'Revenue' },
  { to: '/create-coupun', label: 'Coupons' },
  { to: '/admin/blog', label: 'Blog' },
]

/** The admin area: its pages under one title, for admins only. */
export default function AdminLayout() {
  return (
    <AdminOnly>
      <Section title="Admin" links={links}>
        <Outlet />
      </Section>
    </AdminOnly>
  )
}
