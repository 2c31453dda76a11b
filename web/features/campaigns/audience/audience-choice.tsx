import { useState } from 'react'
import { useLists, useSegments } from '#web/features/contacts/index.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import type { Draft } from '../wizard/draft.ts'

/** What a channel says of a list in place of the number of its contacts. */
export type RowNote = React.ComponentType<{ listId: string }>

interface Row {
  id: string
  name: string
  note?: React.ReactNode
  hint?: string | undefined
}

/** The lists and segments that are here, each to be ticked, and those whose contacts get nothing. */
export function AudienceChoice({ draft, rowNote: Note }: { draft: Draft; rowNote?: RowNote | undefined }) {
  const { choices, change } = draft
  const lists = useLists()
  const segments = useSegments()
  const [excluding, setExcluding] = useState(false)
  const { listIds, segmentIds, excludeListIds, excludeSegmentIds } = choices
  const isExcluding = excluding || excludeListIds.length + excludeSegmentIds.length > 0
  if (lists.isError && !lists.data)
    return <ErrorState title="The lists could not be loaded" error={lists.error} onRetry={() => lists.refetch()} />
  if (segments.isError && !segments.data)
    return (
      <ErrorState title="The segments could not be loaded" error={segments.error} onRetry={() => segments.refetch()} />
    )
  if (!lists.data || !segments.data) return <SkeletonRows rows={3} />
  const listRows = lists.data.items.map(
    (list, at): Row => ({
      ...{ id: list.id, name: list.name },
      // Each note is a request of its own: of very many lists only those at the top and the chosen ones have one.
      note: Note
        ? (at < MAX_NOTES || listIds.includes(list.id)) && <Note listId={list.id} />
        : plural(list.contacts, 'person', 'people'),
      hint:
        list.unconfirmed > 0
          ? `${formatNumber(list.unconfirmed)} more have not confirmed yet and are skipped.`
          : undefined,
    }),
  )
  const segmentRows = segments.data.items.map(
    ({ id, name, problems }): Row => ({
      ...{ id, name },
      hint: problems.length > 0 ? 'Something in its conditions was deleted, so no one is in it.' : undefined,
    }),
  )
  const [hasAllLists, hasAllSegments] = [lists.data.nextCursor === null, segments.data.nextCursor === null]
  return (
    <>
      <Rows
        legend="Lists"
        isQuiet={segmentRows.length === 0 && segmentIds.length === 0}
        rows={listRows}
        chosen={listIds}
        deleted={undefined}
        onChange={(listIds) => change({ listIds })}
      />
      <Rows
        legend="Segments"
        rows={segmentRows}
        chosen={segmentIds}
        deleted={hasAllSegments ? 'Deleted segment' : undefined}
        onChange={(segmentIds) => change({ segmentIds })}
      />
      {isExcluding ? (
        <section aria-label="Excluded contacts" className="space-y-3">
          <div>
            <h2 className="text-base font-semibold">Don’t send to</h2>
            <p className="text-sm text-muted">Contacts of these get nothing, even if they are chosen above.</p>
          </div>
          <Rows
            legend="Lists to exclude"
            rows={listRows.map(({ id, name }) => ({ id, name }))}
            chosen={excludeListIds}
            deleted={hasAllLists ? 'Deleted list' : undefined}
            onChange={(excludeListIds) => change({ excludeListIds })}
          />
          <Rows
            legend="Segments to exclude"
            rows={segmentRows}
            chosen={excludeSegmentIds}
            deleted={hasAllSegments ? 'Deleted segment' : undefined}
            onChange={(excludeSegmentIds) => change({ excludeSegmentIds })}
          />
        </section>
      ) : (
        listRows.length + segmentRows.length > 0 &&
        listIds.length + segmentIds.length > 0 && (
          <Button size="sm" onClick={() => setExcluding(true)}>
            Exclude lists or segments
          </Button>
        )
      )}
    </>
  )
}

/** Lists of a draft that have a note before they are chosen. */
const MAX_NOTES = 50
/** From here on rows can be searched. */
const MANY_ROWS = 12

interface RowsProps {
  legend: string
  /** The legend is read out alone. */
  isQuiet?: boolean
  rows: Row[]
  chosen: string[]
  /** What one that is chosen and not here any more is called; undefined: not all are known, or it leaves the choice by itself. */
  deleted: string | undefined
  onChange: (ids: string[]) => void
}

function Rows({ legend, isQuiet = false, rows, chosen, deleted, onChange }: RowsProps) {
  const [sought, setSought] = useState('')
  const known = rows.map(({ id }) => id)
  const gone = deleted === undefined ? [] : chosen.filter((id) => !known.includes(id))
  if (rows.length + gone.length === 0) return null
  const canSearch = rows.length > MANY_ROWS
  const words = canSearch ? sought.trim().toLowerCase() : ''
  const shown = rows.filter(({ name }) => name.toLowerCase().includes(words))
  // One that was deleted cannot be chosen again: it leaves with the first change.
  const kept = chosen.filter((id) => !gone.includes(id))
  const toggle = (id: string, isOn: boolean) =>
    onChange(isOn ? [...new Set([...kept, id])] : kept.filter((one) => one !== id))
  return (
    <fieldset className="min-w-0">
      <legend className={isQuiet ? 'sr-only' : 'mb-1.5 text-sm font-medium text-ink'}>{legend}</legend>
      {canSearch && (
        <Input
          type="search"
          className="mb-2 max-w-sm"
          aria-label={`Search ${legend.toLowerCase()}`}
          placeholder={`Search ${formatNumber(rows.length)} ${legend.toLowerCase()}`}
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
      )}
      <div className="max-h-96 divide-y overflow-y-auto rounded-card border bg-surface">
        {shown.length === 0 && words !== '' && (
          <p className="px-4 py-3 text-base text-muted">Nothing found. Search for another name.</p>
        )}
        {shown.map(({ id, name, note, hint }) => (
          <Checkbox
            key={id}
            className="px-4 py-3"
            label={
              <span className="wrap-anywhere">
                {name}
                {note !== undefined && <span className="text-muted tabular-nums"> · {note}</span>}
              </span>
            }
            hint={hint}
            checked={chosen.includes(id)}
            onChange={(event) => toggle(id, event.target.checked)}
          />
        ))}
        {gone.map((id) => (
          <Checkbox
            key={id}
            className="px-4 py-3"
            label={deleted}
            hint="Clear it to send the campaign. Check that the right people are left."
            checked
            onChange={() => toggle(id, false)}
          />
        ))}
      </div>
    </fieldset>
  )
}
