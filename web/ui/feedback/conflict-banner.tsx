import { Button } from '../form/button.tsx'
import { Banner } from './banner.tsx'

interface ConflictBannerProps {
  /** "template" */
  noun: string
  onMine: () => Promise<unknown>
  onOther: () => Promise<unknown>
  /** What becomes of the version that is not chosen. */
  children: React.ReactNode
}

/** Says that what is edited was changed elsewhere since, and lets one of the two versions be chosen. */
export function ConflictBanner({ noun, onMine, onOther, children }: ConflictBannerProps) {
  return (
    <Banner
      tone="attention"
      role="alert"
      className="m-2"
      title={`This ${noun} was changed in another tab or by a colleague`}
      action={
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => void onOther()}>
            Use their version
          </Button>
          <Button size="sm" kind="primary" onClick={() => void onMine()}>
            Keep my version
          </Button>
        </div>
      }
    >
      Your changes are still here, but not saved. {children}
    </Banner>
  )
}
