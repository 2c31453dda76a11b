import { Check, ChevronDown } from 'lucide-react'
import { Button } from '#web/ui/form/button.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import type { Appearance } from './draft.ts'

const labels: Record<Appearance['kind'], string> = { draft: 'Draft', now: 'Publish', later: 'Schedule' }

/** What becomes of the post when it is saved: it stays a draft, is published, or is published at a time. */
export function StatusMenu({
  kind,
  onChoose,
}: {
  kind: Appearance['kind']
  onChoose: (kind: Appearance['kind']) => void
}) {
  return (
    <Menu
      trigger={
        <Button>
          <span className="text-muted">Status:</span> {labels[kind]}
          <ChevronDown aria-hidden="true" className="size-4 text-muted" />
        </Button>
      }
    >
      {(['draft', 'later', 'now'] as const).map((one) => (
        <MenuItem key={one} onSelect={() => onChoose(one)}>
          <span className="flex-1">{labels[one]}</span>
          {one === kind && <Check aria-label="chosen" />}
        </MenuItem>
      ))}
    </Menu>
  )
}
