import { Plus } from 'lucide-react'
import { Fragment } from 'react'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { stepGroups, stepLabels } from '../labels.ts'
import { StepIcon } from '../step-icons.tsx'
import { useFlow } from './flow-context.ts'
import type { Place } from './tree.ts'

/** The line between two cards; while the journey can be edited, with a button that offers the kinds of steps. */
export function InsertMenu({ place, label }: { place: Place; label: string }) {
  const { isEditable, insert, canInsert } = useFlow()
  if (!isEditable) return <span aria-hidden="true" className="block h-6 w-px bg-control/60" />
  return (
    <div className="flex flex-col items-center">
      <span aria-hidden="true" className="block h-3 w-px bg-control/60" />
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            data-place=""
            aria-label={label}
            title={label}
            className="relative grid size-6 place-items-center rounded-full border border-control/70 bg-raised text-muted transition-colors after:absolute after:-inset-2 hover:border-accent-text hover:bg-accent-soft hover:text-accent-text data-[state=open]:border-accent-text data-[state=open]:bg-accent-soft data-[state=open]:text-accent-text"
          >
            <Plus aria-hidden="true" className="size-3.5" />
          </button>
        }
      >
        {stepGroups.map((group, index) => (
          <Fragment key={group.label}>
            {index > 0 && <MenuSeparator />}
            <MenuLabel>{group.label}</MenuLabel>
            {group.kinds.map(({ kind, does }) => (
              <MenuItem key={kind} disabled={!canInsert(place, kind)} onSelect={() => insert(place, kind)}>
                <StepIcon kind={kind} />
                <span className="pr-2">
                  <span className="block text-ink">{stepLabels[kind]}</span>
                  <span className="block text-sm text-muted">{does}</span>
                </span>
              </MenuItem>
            ))}
          </Fragment>
        ))}
      </Menu>
      <span aria-hidden="true" className="block h-3 w-px bg-control/60" />
    </div>
  )
}
