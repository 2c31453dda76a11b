import { Outlet } from 'react-router'
import { Shell } from './guard.tsx'

export const meta = () => [{ title: 'Postlark' }, { name: 'robots', content: 'noindex' }]

/** Everything behind the login. The server renders the frame only, because the token lives in the browser. */
export default function ShellRoute() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  )
}
