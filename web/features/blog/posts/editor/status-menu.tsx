import { Check, ChevronDown } from 'lucide-react'
import { Button } from '#web/ui/form/button.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import type { Appearance } from './draft.ts'

const labels: Record<Appearance['kind'], string> = { draft: 'Draft', now: 'Publish', later: 'Schedule' }

interface StatusProps {
  kind: Appearance['kind']
  onChoose: (kind: Appearance['kind']) => void
}

/** What becomes of the post when it is saved: it stays a draft, is published, or is published at a time. */
export function StatusMenu({ kind, onChoose }: StatusProps) {
  return (
    <Menu
      trigger={
        <Button size="sm">
          <span className="text-muted">Status:</span> {labels[kind]}
          <ChevronDown aria-hidden="true" className="size-4 text-muted" />
        </Button>
      }
    >
      <StatusItems kind={kind} onChoose={onChoose} />
    </Menu>
  )
}

/** The same as items of a menu. */
export function StatusItems({ kind, onChoose }: StatusProps) {
  return (
    <>
      {(['draft', 'later', 'now'] as const).map((one) => (
        <MenuItem key={one} onSelect={() => onChoose(one)}>
          <span className="flex-1">{labels[one]}</span>
          {one === kind && <Check aria-label="chosen" />}
        </MenuItem>
      ))}
    </>
  )
}
