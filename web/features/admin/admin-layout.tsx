import { Outlet } from 'react-router'
import { TabLinks } from '#web/ui/layout/tabs.tsx'
import { AdminOnly } from './admin-only.tsx'

const links = [
  { to: '/admin/users', label: 'Users' },
  { to: '/admin/health', label: 'Health' },
  { to: '/admin/audit', label: 'Audit log' },
  { to: '/admin/revenue', label: 'Revenue' },
  { to: '/create-coupun', label: 'Coupons' },
  { to: '/admin/blog', label: 'Blog' },
]

/** The admin area: its pages under one row of tabs, for admins only. */
export default function AdminLayout() {
  return (
    <AdminOnly>
      <TabLinks label="Admin" links={links} className="mb-6" />
      <Outlet />
    </AdminOnly>
  )
}
