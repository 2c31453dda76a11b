import { Navigate } from 'react-router'

/** /admin itself shows the users. */
export default function AdminPage() {
  return <Navigate to="/admin/users" replace />
}
