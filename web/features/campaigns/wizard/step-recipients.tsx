import { useState } from 'react'
import { ImportForm, ImportProgress, useLists } from '#web/features/contacts/index.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import type { Draft } from './draft.ts'
import { StepFrame } from './step-frame.tsx'

/** Upload recipients: lists that are here, or a file brought in without leaving. */
export function RecipientsStep({ draft, rowNote }: { draft: Draft; rowNote?: RowNote }) {
  const lists = useLists()
  const [importing, setImporting] = useState(false)
  const [importId, setImportId] = useState<string | null>(null)
  const none = lists.data?.items.length === 0
  return (
    <StepFrame
      title="Choose recipients"
      hint="Choose one or more lists. Duplicates and unsubscribed contacts are skipped automatically."
    >
      <ListsChoice draft={draft} rowNote={rowNote} />
      {importId && <ImportProgress key={importId} id={importId} />}
      {none || importing ? (
        <Card title="Import contacts">
          <ImportForm
            onStarted={(id, listId) => {
              setImportId(id)
              setImporting(false)
              chooseList(draft, listId)
            }}
          />
        </Card>
      ) : (
        <Button size="sm" onClick={() => setImporting(true)}>
          Import contacts from a file
        </Button>
      )}
    </StepFrame>
  )
}

const chooseList = ({ choices, change }: Draft, listId: string) =>
  change({ listIds: [...new Set([...choices.listIds, listId])] })

/** What a channel says of a list in place of the number of its contacts. */
type RowNote = React.ComponentType<{ listId: string }>

/** The lists that are here, each to be ticked. */
export function ListsChoice({ draft, rowNote: Note }: { draft: Draft; rowNote?: RowNote | undefined }) {
  const { choices, change } = draft
  const lists = useLists()
  return (
    <>
      {lists.isError && !lists.data && (
        <ErrorState title="The lists could not be loaded" error={lists.error} onRetry={() => lists.refetch()} />
      )}
      {lists.isPending && <SkeletonRows rows={3} />}
      {lists.data && lists.data.items.length > 0 && (
        <fieldset className="divide-y rounded-card border bg-surface">
          <legend className="sr-only">Lists</legend>
          {lists.data.items.map((list) => (
            <Checkbox
              key={list.id}
              className="px-4 py-3"
              label={
                <>
                  {list.name}{' '}
                  <span className="text-muted tabular-nums">
                    · {Note ? <Note listId={list.id} /> : plural(list.contacts, 'person', 'people')}
                  </span>
                </>
              }
              hint={
                list.unconfirmed > 0
                  ? `${formatNumber(list.unconfirmed)} more have not confirmed yet and are skipped.`
                  : undefined
              }
              checked={choices.listIds.includes(list.id)}
              onChange={(event) =>
                event.target.checked
                  ? chooseList(draft, list.id)
                  : change({ listIds: choices.listIds.filter((id) => id !== list.id) })
              }
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
