import { Outlet } from 'react-router'
import { AdminOnly } from './admin-only.tsx'

/** Pages of the admin area that fill the screen, for admins only. */
export default function FocusedAdminLayout() {
  return (
    <AdminOnly>
      <Outlet />
    </AdminOnly>
  )
}
