import { useState } from 'react'
import { ImportForm, ImportProgress, useLists } from '#web/features/contacts/index.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatNumber, plural } from '#web/ui/format.ts'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import type { Draft } from './draft.ts'
import { StepFrame } from './step-frame.tsx'

/** Upload recipients: lists that are here, or a file brought in without leaving. */
export function RecipientsStep({ draft }: { draft: Draft }) {
  const lists = useLists()
  const [importing, setImporting] = useState(false)
  const [importId, setImportId] = useState<string | null>(null)
  const none = lists.data?.items.length === 0
  return (
    <StepFrame
      title="Who gets it?"
      hint="Choose one or more lists. Somebody on two of them gets it once; whoever unsubscribed is left out."
    >
      <ListsChoice draft={draft} />
      {importId && <ImportProgress key={importId} id={importId} />}
      {none || importing ? (
        <Card title="Import people">
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
          Import people from a file
        </Button>
      )}
    </StepFrame>
  )
}

const chooseList = ({ answers, change }: Draft, listId: string) =>
  change({ listIds: [...new Set([...answers.listIds, listId])] })

/** The lists that are here, each to be ticked. */
export function ListsChoice({ draft }: { draft: Draft }) {
  const { answers, change } = draft
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
                  <span className="text-muted tabular-nums">· {plural(list.contacts, 'person', 'people')}</span>
                </>
              }
              hint={
                list.unconfirmed > 0
                  ? `${formatNumber(list.unconfirmed)} more have not confirmed yet and get nothing.`
                  : undefined
              }
              checked={answers.listIds.includes(list.id)}
              onChange={(event) =>
                event.target.checked
                  ? chooseList(draft, list.id)
                  : change({ listIds: answers.listIds.filter((id) => id !== list.id) })
              }
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
