import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MergedRows } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { mailMerge } from '#contracts/campaigns/channels/gmail/mail-merge.ts'
import { api } from '#web/api.ts'
import { AudienceChoice, AudienceCount, type Draft, StepFrame } from '#web/features/campaigns/index.ts'
import { ImportProgress, RowsForm, useLists, useSegments } from '#web/features/contacts/index.ts'
import { storeResult } from '#web/query.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { PeopleDrawing } from '#web/ui/theme/drawings.tsx'

type RecipientSource = 'lists' | 'rows'

/** Upload recipients: lists that are here, or the rows of a spreadsheet, whose columns become fields. */
export function GmailRecipientsStep({ draft }: { draft: Draft }) {
  const merge = draft.query.data?.merge ?? null
  const lists = useLists()
  const [chosen, setChosen] = useState<RecipientSource>()
  const { listIds, segmentIds } = draft.choices
  const fitting =
    merge || (lists.data?.items.length === 0 && listIds.length + segmentIds.length === 0) ? 'rows' : 'lists'
  const source = chosen ?? fitting
  return (
    <StepFrame title="Choose recipients" hint="Duplicates and unsubscribed contacts are skipped automatically.">
      <div className="space-y-5">
        <RadioGroup
          legend="Recipients"
          quietLegend
          cards
          value={source}
          onChange={setChosen}
          options={[
            {
              value: 'rows',
              label: 'Paste rows or a spreadsheet',
              hint: 'Only for this campaign. Columns become merge fields for the subject and text.',
            },
            { value: 'lists', label: 'Choose lists and segments', hint: 'People already in your contacts.' },
          ]}
        />
        {source === 'rows' ? <Rows draft={draft} merge={merge} /> : <Lists draft={draft} />}
      </div>
    </StepFrame>
  )
}

function Lists({ draft }: { draft: Draft }) {
  const lists = useLists()
  const segments = useSegments()
  if (lists.data?.items.length === 0 && segments.data?.items.length === 0)
    return (
      <Card flush>
        <EmptyState
          drawing={<PeopleDrawing />}
          title="No lists yet"
          action={<ButtonLink to="/contacts/import">Import contacts</ButtonLink>}
        >
          Lists stay in your contacts for other campaigns. To use recipients only once, paste rows.
        </EmptyState>
      </Card>
    )
  return (
    <>
      {draft.query.data?.merge && (
        <p className="text-base text-text">
          The rows from {draft.query.data.merge.fileName} are one of these lists. Clear it to send only to the other
          lists.
        </p>
      )}
      <AudienceChoice draft={draft} />
      <AudienceCount draft={draft} />
    </>
  )
}

function Rows({ draft, merge }: { draft: Draft; merge: MergedRows | null }) {
  const queries = useQueryClient()
  const [replacing, setReplacing] = useState(false)
  async function take(form: FormData) {
    const id = await draft.ensure()
    await draft.saving.flush()
    const { campaign } = await api(mailMerge.upload, { params: { id }, form })
    storeResult(queries, ['campaigns', id], campaign)
    await queries.invalidateQueries({ queryKey: ['lists'] })
    setReplacing(false)
  }
  const { listIds, segmentIds } = draft.choices
  const others = listIds.length + segmentIds.length > 0 && !merge
  return (
    <>
      {merge && <Taken key={merge.importId} draft={draft} merge={merge} />}
      {merge && !replacing ? (
        <Button size="sm" onClick={() => setReplacing(true)}>
          Replace rows
        </Button>
      ) : (
        <Card
          title={merge ? 'Replace rows' : 'Rows'}
          action={
            merge && (
              <Button size="sm" onClick={() => setReplacing(false)}>
                Cancel
              </Button>
            )
          }
          description={
            merge || others
              ? `They replace ${merge ? 'the rows above' : 'the lists and segments you chose before'}.`
              : undefined
          }
        >
          <RowsForm onUse={take} />
        </Card>
      )}
    </>
  )
}

/** What became of the rows: how many people they are, which were skipped and why, and what can be filled in. */
function Taken({ draft, merge }: { draft: Draft; merge: MergedRows }) {
  const queries = useQueryClient()
  return (
    <div className="space-y-4">
      <ImportProgress
        id={merge.importId}
        result={merge.state === 'done' ? rowsInWords(merge) : undefined}
        onEnd={() => void queries.invalidateQueries({ queryKey: ['campaigns', draft.id], exact: true })}
      />
      {merge.fields.length > 0 && (
        <div>
          <h3 className="mb-1.5 text-sm font-medium text-ink">Merge fields for subject and text</h3>
          <ul aria-label="Merge fields for subject and text" className="flex flex-wrap gap-1.5">
            {merge.fields.map((field) => (
              <li key={field}>
                <code className="rounded-control border bg-sunken px-2 py-0.5 font-mono text-sm text-ink">{`{{ ${field} }}`}</code>
              </li>
            ))}
          </ul>
          <p className="mt-1.5 text-sm text-muted">
            Add them to the subject in the next step, or in the editor under “Insert variable”.
          </p>
        </div>
      )}
    </div>
  )
}

/** "3 people from 5 rows of people.csv. 1 row skipped. 1 row names an address again." */
function rowsInWords({ people, total, bad, fileName }: MergedRows): string {
  const again = Math.max(0, total - bad - people)
  return [
    `${plural(people, 'person', 'people')} from ${plural(total, 'row')} of ${fileName}.`,
    bad > 0 && `${plural(bad, 'row')} skipped.`,
    again > 0 && `${plural(again, 'row')} ${again === 1 ? 'repeats' : 'repeat'} an address, which is counted once.`,
  ]
    .filter(Boolean)
    .join(' ')
}
