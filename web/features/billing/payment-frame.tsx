import { Outlet } from 'react-router'
import { Framed, Shell } from '#web/features/shell/index.ts'
import { SiteLayout } from '#web/features/site/index.ts'
import { isLive, useToken } from '#web/session/session.ts'

/** The frame of the page that paying leads back to: the app for users, the public site for visitors, none until that is known. */
export default function PaymentFrame() {
  const token = useToken()
  if (token === undefined)
    return (
      <main id="content" tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
    )
  return isLive(token) ? (
    <Shell>
      <Framed />
    </Shell>
  ) : (
    <SiteLayout />
  )
}
