import { X } from 'lucide-react'
import { IconButton } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { type Act, BlockActions } from './block-tools.tsx'
import type { Design } from './use-design.ts'

interface BlockPanelProps {
  design: Design
  act: Act
  onSave: (() => void) | undefined
  /** On a phone: whether it is open. Elsewhere it always is. */
  isOpen: boolean
  onClose: () => void
  children: React.ReactNode
}

/** The settings of the selected block: beside the email, on a phone a sheet below it, so that changes can be seen. */
export function BlockPanel({ design, act, onSave, isOpen, onClose, children }: BlockPanelProps) {
  return (
    <aside
      aria-label="Block settings"
      className={cx(
        'min-h-0 overflow-y-auto max-md:max-h-[45dvh] max-md:rounded-t-dialog max-md:border-t max-md:bg-raised max-md:shadow-dialog md:border-l',
        !isOpen && 'max-md:hidden',
      )}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <header className="sticky top-0 z-10 flex items-center gap-1 border-b bg-raised px-2 py-1.5 md:hidden">
        {design.block && <BlockActions design={design} act={act} onSave={onSave} />}
        <IconButton label="Close block settings" className="ml-auto" autoFocus onClick={onClose}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      </header>
      {children}
    </aside>
  )
}
