import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { useLists } from '../queries.ts'
import { isNameTaken, optinOptions } from './list-dialog.tsx'

/** In place of a list's id: one to be made. */
export const NEW_LIST = 'new'

/** Where imported people go: a list there is, or one to be made first. */
export interface ListTarget {
  listId: string
  newName: string
  optin: 'single' | 'double'
}

/** A list to choose, or the name of a new one. */
export function ListChoice({
  target,
  onChange,
  error,
}: {
  target: ListTarget
  onChange: (target: ListTarget) => void
  error?: string | undefined
}) {
  const lists = useLists()
  const isNew = target.listId === NEW_LIST || lists.data?.items.length === 0
  const isTaken = isNameTaken(lists.data?.items, target.newName)
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Add to list" {...(!isNew && { error })}>
        <Select
          value={isNew ? NEW_LIST : target.listId}
          onChange={(event) => onChange({ ...target, listId: event.target.value })}
        >
          {!isNew && <option value="">Choose a list</option>}
          {lists.data?.items.map((list) => (
            <option key={list.id} value={list.id}>
              {list.name}
            </option>
          ))}
          <option value={NEW_LIST}>New list…</option>
        </Select>
      </Field>
      {isNew && (
        <>
          <Field
            label="List name"
            error={error}
            hint={isTaken ? 'You already have a list with this name. Choose it to add contacts to it.' : undefined}
          >
            <Input
              value={target.newName}
              maxLength={120}
              autoComplete="off"
              onChange={(event) => onChange({ ...target, listId: NEW_LIST, newName: event.target.value })}
            />
          </Field>
          <RadioGroup
            legend="Subscription"
            className="sm:col-span-2"
            options={optinOptions}
            value={target.optin}
            onChange={(optin) => onChange({ ...target, listId: NEW_LIST, optin })}
          />
        </>
      )}
    </div>
  )
}

/** What is missing before an import can start, or undefined. */
export function listTargetError(target: ListTarget, thereAreLists: boolean): string | undefined {
  if (target.listId === NEW_LIST || !thereAreLists)
    return target.newName.trim() ? undefined : 'Enter a name for the new list.'
  return target.listId ? undefined : 'Choose a list for these contacts.'
}

/** Whether the list has to be made first. */
export const isNewList = (target: ListTarget, thereAreLists: boolean) => target.listId === NEW_LIST || !thereAreLists
