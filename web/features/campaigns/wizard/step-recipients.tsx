import { useState } from 'react'
import { ImportForm, ImportProgress, useLists } from '#web/features/contacts/index.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { AudienceChoice, type RowNote } from '../audience/audience-choice.tsx'
import { AudienceCount } from '../audience/audience-count.tsx'
import type { Draft } from './draft.ts'
import { StepFrame } from './step-frame.tsx'

interface RecipientsProps {
  draft: Draft
  rowNote?: RowNote
  /** How many people get it, where a channel tells it in a way of its own. */
  count?: React.ComponentType<{ draft: Draft }>
}

/** Upload recipients: lists and segments that are here, or a file brought in without leaving. */
export function RecipientsStep({ draft, rowNote, count: Count = AudienceCount }: RecipientsProps) {
  const lists = useLists()
  const [importing, setImporting] = useState(false)
  const [importId, setImportId] = useState<string | null>(null)
  const none = lists.data?.items.length === 0
  return (
    <StepFrame
      title="Choose recipients"
      hint="Choose lists and segments. Duplicates and unsubscribed contacts are skipped automatically."
    >
      <AudienceChoice draft={draft} rowNote={rowNote} />
      <Count draft={draft} />
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
