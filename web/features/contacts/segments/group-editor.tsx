import { Plus, X } from 'lucide-react'
import { MAX_DEPTH } from '#contracts/contacts/conditions.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { ConditionRow } from './condition-row.tsx'
import { type DraftGroup, type DraftItem, isDraftGroup, newCondition, newGroup } from './tree.ts'

interface GroupEditorProps {
  group: DraftGroup
  /** 1: the outermost group, which cannot be removed. */
  depth: number
  /** No condition can be added. */
  full: boolean
  change: (key: number, change: (item: DraftItem) => DraftItem | undefined) => void
}

/** Conditions of which all or any must be true, and groups of such within. */
export function GroupEditor({ group, depth, full, change }: GroupEditorProps) {
  const add = (item: DraftItem) => change(group.key, () => ({ ...group, items: [...group.items, item] }))
  return (
    <fieldset className={depth > 1 ? 'min-w-0 rounded-card border bg-sunken/40 p-3' : 'min-w-0'}>
      <legend className="sr-only">{depth === 1 ? 'Conditions' : 'Group of conditions'}</legend>
      <div className="mb-3 flex items-center justify-between gap-2">
        <span className="flex flex-wrap items-center gap-2 text-base text-text">
          Contacts that match
          <Select
            aria-label={
              depth === 1 ? 'How many conditions must be true' : 'How many conditions of this group must be true'
            }
            className="w-40"
            value={group.op}
            onChange={(event) => change(group.key, () => ({ ...group, op: event.target.value as DraftGroup['op'] }))}
          >
            <option value="and">all conditions</option>
            <option value="or">any condition</option>
          </Select>
        </span>
        {depth > 1 && (
          <IconButton size="sm" label="Remove the group" onClick={() => change(group.key, () => undefined)}>
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        )}
      </div>
      {group.items.length > 0 && (
        <ul className="@container mb-3 space-y-3">
          {group.items.map((item) => (
            <li key={item.key}>
              {isDraftGroup(item) ? (
                <GroupEditor group={item} depth={depth + 1} full={full} change={change} />
              ) : (
                <ConditionRow
                  condition={item}
                  onChange={(next) => change(item.key, () => next)}
                  onRemove={() => change(item.key, () => undefined)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          disabled={full}
          icon={<Plus aria-hidden="true" className="size-3.5" />}
          onClick={() => add(newCondition())}
        >
          Add condition
        </Button>
        {depth < MAX_DEPTH && (
          <Button
            size="sm"
            kind="quiet"
            disabled={full}
            icon={<Plus aria-hidden="true" className="size-3.5" />}
            onClick={() => add(newGroup())}
          >
            Add group
          </Button>
        )}
      </div>
    </fieldset>
  )
}
