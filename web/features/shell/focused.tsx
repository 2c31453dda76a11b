import { FocusedPageNotice } from '#web/ui/layout/focused-page.tsx'
import { SandboxPill } from './sandbox-banner.tsx'
import { SignedInOutlet } from './signed-in.tsx'

/** The pages that fill the screen: wizards and editors. Each draws its own bar with FocusedPage. */
export default function Focused() {
  return (
    <FocusedPageNotice value={<SandboxPill />}>
      <SignedInOutlet />
    </FocusedPageNotice>
  )
}
