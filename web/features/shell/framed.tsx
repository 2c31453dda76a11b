import { Frame } from './frame.tsx'
import { SandboxBanner } from './sandbox-banner.tsx'
import { SignedInOutlet, useSignedIn } from './signed-in.tsx'

/** The pages with the sidebar beside them. */
export default function Framed() {
  const { user, plan, onLogOut } = useSignedIn()
  return (
    <Frame user={user} plan={plan} onLogOut={onLogOut} banner={<SandboxBanner />}>
      <SignedInOutlet />
    </Frame>
  )
}
