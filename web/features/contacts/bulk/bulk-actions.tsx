import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { BULK_UNDO_HOURS } from '#contracts/contacts/bulk.ts'
import { errorMessage } from '#web/api.ts'
import { ConsentForm } from '#web/features/consents/index.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useLists, useTags } from '../queries.ts'
import { EditFieldDialog } from './edit-field-dialog.tsx'
import { EnrollSelection } from './enroll-dialog.tsx'
import { describeChange, HOW_TO_UNDO } from './labels.ts'
import { type BulkChoice, exportChoice, useBulkChange, useConsentRecording } from './queries.ts'

interface BulkActionsProps {
  choice: BulkChoice
  /** How many contacts that are; undefined: nobody counted what a search finds. */
  count: number | undefined
  /** The list that is shown, which contacts can be taken off. */
  listId: string
  onDone: () => void
}

const removal = { action: 'delete' } as const

/** What can be done with the selected contacts. All that match are removed after a question, others at once: either has an undo. */
export function BulkActions({ choice, count, listId, onDone }: BulkActionsProps) {
  const change = useBulkChange()
  const record = useConsentRecording()
  const lists = useLists().data?.items ?? []
  const tags = useTags().data?.items ?? []
  const [asked, setAsked] = useState<'field' | 'journey' | 'unsubscribe' | 'consent' | 'delete' | null>(null)
  const whose = count === undefined ? 'all contacts that match' : plural(count, 'contact')
  const close = () => setAsked(null)
  const run = async (...given: Parameters<typeof change> extends [BulkChoice, ...infer Rest] ? Rest : never) => {
    await change(choice, ...given)
    onDone()
  }
  const runOrSay = (...given: Parameters<typeof run>) =>
    void run(...given).catch((error: unknown) => toast.error(errorMessage(error)))
  const shownList = lists.find(({ id }) => id === listId)
  return (
    <>
      <NameMenu
        label="Add to list"
        noun="list"
        items={lists}
        onChoose={(list) => runOrSay({ action: 'addToList', value: list.id }, describeChange)}
      />
      <NameMenu
        label="Remove from list"
        noun="list"
        items={shownList ? [shownList] : lists}
        onChoose={(list) => runOrSay({ action: 'removeFromList', value: list.id }, describeChange)}
      />
      <NameMenu
        label="Add tag"
        noun="tag"
        items={tags}
        onChoose={(tag) => runOrSay({ action: 'tag', value: tag.id }, describeChange)}
      />
      <NameMenu
        label="Remove tag"
        noun="tag"
        items={tags}
        onChoose={(tag) => runOrSay({ action: 'untag', value: tag.id }, describeChange)}
      />
      <Button size="sm" onClick={() => setAsked('field')}>
        Edit field
      </Button>
      <Button size="sm" onClick={() => setAsked('unsubscribe')}>
        Unsubscribe
      </Button>
      <Menu
        trigger={
          <IconButton size="sm" label="More actions for the selection">
            <MoreHorizontal aria-hidden="true" className="size-4" />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setAsked('journey')}>Enroll in a journey</MenuItem>
        <MenuItem onSelect={() => setAsked('consent')}>Record WhatsApp consent</MenuItem>
        <MenuItem onSelect={() => void exportChoice(choice)}>Export as CSV</MenuItem>
        <MenuSeparator />
        <MenuItem harm onSelect={() => ('ids' in choice ? runOrSay(removal, describeChange) : setAsked('delete'))}>
          Remove
        </MenuItem>
      </Menu>
      {asked === 'field' && <EditFieldDialog whose={whose} onSave={run} onClose={close} />}
      {asked === 'journey' && <EnrollSelection choice={choice} whose={whose} onStarted={onDone} onClose={close} />}
      {asked === 'consent' && (
        <ConsentForm
          whose={whose}
          action={`Record for ${whose}`}
          onSave={async (proof) => {
            await record(choice)(proof)
            onDone()
          }}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={asked === 'unsubscribe'}
        onOpenChange={(open) => !open && close()}
        title={`Unsubscribe ${whose}?`}
        action={`Unsubscribe ${whose}`}
        onConfirm={() => run({ action: 'unsubscribe' }, describeChange)}
      >
        They leave all lists, and campaigns skip them on every channel. You can undo this for {BULK_UNDO_HOURS} hours
        under Recent changes, except for contacts who unsubscribe themselves meanwhile. After that, only they can
        subscribe again.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'delete'}
        onOpenChange={(open) => !open && close()}
        title={`Remove ${whose}?`}
        action={`Remove ${whose}`}
        {...(count !== undefined && { typed: String(count) })}
        onConfirm={() => run(removal, describeChange)}
      >
        Their fields, lists and sources are deleted. Reports and suppressions stay. {HOW_TO_UNDO}
      </ConfirmDialog>
    </>
  )
}

interface NameMenuProps<T> {
  label: string
  /** "list" or "tag" */
  noun: string
  items: T[]
  onChoose: (item: T) => void
}

function NameMenu<T extends { id: string; name: string }>({ label, noun, items, onChoose }: NameMenuProps<T>) {
  return (
    <Menu align="start" trigger={<Button size="sm">{label}</Button>}>
      <MenuLabel>{items.length > 0 ? `Choose a ${noun}` : `No ${noun}s yet`}</MenuLabel>
      {items.map((item) => (
        <MenuItem key={item.id} onSelect={() => onChoose(item)}>
          {item.name}
        </MenuItem>
      ))}
    </Menu>
  )
}
