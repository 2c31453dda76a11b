import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MergedRows } from '#contracts/campaign-parts.ts'
import { mailMerge } from '#contracts/mail-merge.ts'
import { api } from '#web/api.ts'
import { type Draft, ListsChoice, StepFrame } from '#web/features/campaigns/index.ts'
import { ImportProgress, RowsForm, useLists } from '#web/features/contacts/index.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PeopleDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { plural } from '#web/ui/format.ts'
import { RadioGroup } from '#web/ui/radio-group.tsx'

type Source = 'lists' | 'rows'

/** Upload recipients: lists that are here, or the rows of a spreadsheet, whose columns become fields. */
export function GmailRecipientsStep({ draft }: { draft: Draft }) {
  const merge = draft.query.data?.merge ?? null
  const lists = useLists()
  const [chosen, setChosen] = useState<Source>()
  const fitting = merge || (lists.data?.items.length === 0 && draft.answers.listIds.length === 0) ? 'rows' : 'lists'
  const source = chosen ?? fitting
  return (
    <StepFrame
      title="Who gets it?"
      hint="Everybody gets it once, however often an address is there; whoever unsubscribed is left out."
    >
      <div className="space-y-5">
        <RadioGroup
          legend="Where they come from"
          quietLegend
          cards
          value={source}
          onChange={setChosen}
          options={[
            {
              value: 'rows',
              label: 'Paste rows or a spreadsheet',
              hint: 'For this campaign. Its columns become fields for subject and text.',
            },
            { value: 'lists', label: 'Choose lists', hint: 'People who are among your contacts already.' },
          ]}
        />
        {source === 'rows' ? <Rows draft={draft} merge={merge} /> : <Lists draft={draft} />}
      </div>
    </StepFrame>
  )
}

function Lists({ draft }: { draft: Draft }) {
  const lists = useLists()
  if (lists.data?.items.length === 0)
    return (
      <Card flush>
        <EmptyState
          drawing={<PeopleDrawing />}
          title="No list yet"
          action={<ButtonLink to="/contacts/import">Import people</ButtonLink>}
        >
          Lists stay among your contacts for other campaigns. For this one alone, paste rows.
        </EmptyState>
      </Card>
    )
  return (
    <>
      {draft.query.data?.merge && (
        <p className="text-base text-text">
          The rows of {draft.query.data.merge.fileName} are one of these lists. Untick it to send to other lists only.
        </p>
      )}
      <ListsChoice draft={draft} />
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
    queries.setQueryData(['campaigns', id], campaign)
    await queries.invalidateQueries({ queryKey: ['lists'] })
    setReplacing(false)
  }
  const others = draft.answers.listIds.length > 0 && !merge
  return (
    <>
      {merge && <Taken key={merge.importId} draft={draft} merge={merge} />}
      {merge && !replacing ? (
        <Button size="sm" onClick={() => setReplacing(true)}>
          Use other rows
        </Button>
      ) : (
        <Card
          title={merge ? 'Other rows' : 'Rows'}
          description={
            merge || others
              ? `They take the place of ${merge ? 'the rows above' : `the ${plural(draft.answers.listIds.length, 'list')} chosen before`}.`
              : undefined
          }
        >
          <RowsForm onUse={take} />
        </Card>
      )}
    </>
  )
}

/** What became of the rows: how many people they are, which were left out and why, and what can be filled in. */
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
          <h3 className="mb-1.5 text-sm font-medium text-ink">Fields for subject and text</h3>
          <ul aria-label="Fields for subject and text" className="flex flex-wrap gap-1.5">
            {merge.fields.map((field) => (
              <li key={field}>
                <code className="rounded-control border bg-sunken px-2 py-0.5 font-mono text-sm text-ink">{`{{ ${field} }}`}</code>
              </li>
            ))}
          </ul>
          <p className="mt-1.5 text-sm text-muted">
            The next step puts them into the subject with one press; the editor has them under “Insert a field”.
          </p>
        </div>
      )}
    </div>
  )
}

/** "3 people from 5 rows of people.csv. 1 row left out. 1 row names an address again." */
function rowsInWords({ people, total, bad, fileName }: MergedRows): string {
  const again = Math.max(0, total - bad - people)
  return [
    `${plural(people, 'person', 'people')} from ${plural(total, 'row')} of ${fileName}.`,
    bad > 0 && `${plural(bad, 'row')} left out.`,
    again > 0 && `${plural(again, 'row')} ${again === 1 ? 'names' : 'name'} an address again, which counts once.`,
  ]
    .filter(Boolean)
    .join(' ')
}
