// biome-ignore-all lint/a11y/noRedundantRoles: the phone's layout takes the table display away, and the roles with it
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { cx } from './class-names.ts'
import { type Column, DataRow } from './data-row.tsx'
import { formatNumber } from './format.ts'
import { SkeletonRows } from './skeleton.tsx'
import { useHotkey } from './use-hotkey.ts'

export type { Column } from './data-row.tsx'

export interface Selection {
  selected: ReadonlySet<string>
  onChange: (selected: Set<string>) => void
  /** Buttons of the action bar; they act on the selection. */
  actions: React.ReactNode
}

interface DataTableProps<Row> {
  /** What the table holds, for screen readers. */
  label: string
  columns: Column<Row>[]
  /** undefined while loading. */
  rows: Row[] | undefined
  rowKey: (row: Row) => string
  /** Where a row leads: the first column becomes the link, and a click anywhere on the row follows it. */
  href?: (row: Row) => string
  /** Or what opening a row does, where that has no address. */
  onOpen?: (row: Row) => void
  selection?: Selection
  /** Shown instead of the table when there are no rows: an EmptyState. */
  empty?: React.ReactNode
  /** Under the rows: a CursorPager. */
  footer?: React.ReactNode
  /** Rows of an older answer are shown while the next one comes. */
  stale?: boolean
}

/** A list: 44 px rows under a sticky header, numbers right, a row opens on click and with j k Enter; on a phone each row is a card. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  href,
  onOpen,
  selection,
  empty,
  footer,
  stale,
}: DataTableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const navigate = useNavigate()
  useHotkey('j k', (key) => moveFocus(body.current, key === 'j' ? 1 : -1))
  if (!rows) return <SkeletonRows />
  if (rows.length === 0 && empty) return <>{empty}</>

  const open = href ? (row: Row) => navigate(href(row)) : onOpen
  return (
    <div
      className={cx('min-w-0 transition-opacity md:max-[1200px]:overflow-x-auto', stale && 'opacity-60')}
      aria-busy={stale || undefined}
    >
      {selection && selection.selected.size > 0 && <ActionBar selection={selection} />}
      <table role="table" aria-label={label} className="block w-full text-base md:table">
        <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
          <tr role="row" className="md:table-row">
            {selection && <HeaderCheckbox selection={selection} keys={rows.map(rowKey)} />}
            {columns.map((column) => (
              <th
                key={column.id}
                role="columnheader"
                scope="col"
                className={cx(
                  'sticky top-0 z-10 h-9 border-b bg-surface px-4 text-xs font-medium text-muted whitespace-nowrap',
                  column.number ? 'text-right' : 'text-left',
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} role="rowgroup" className="block md:table-row-group">
          {rows.map((row) => {
            const key = rowKey(row)
            return (
              <DataRow
                key={key}
                row={row}
                columns={columns}
                href={href?.(row)}
                onOpen={open && (() => open(row))}
                selected={selection?.selected.has(key)}
                selecting={(selection?.selected.size ?? 0) > 0}
                onSelect={selection && ((selected) => selection.onChange(toggled(selection.selected, key, selected)))}
              />
            )
          })}
        </tbody>
      </table>
      {footer}
    </div>
  )
}

function toggled(set: ReadonlySet<string>, key: string, selected: boolean): Set<string> {
  const next = new Set(set)
  if (selected) next.add(key)
  else next.delete(key)
  return next
}

function HeaderCheckbox({ selection, keys }: { selection: Selection; keys: string[] }) {
  const all = keys.length > 0 && keys.every((key) => selection.selected.has(key))
  return (
    <th role="columnheader" scope="col" className="sticky top-0 z-10 w-10 border-b bg-surface pl-4 text-left">
      <Checkbox
        aria-label="Select all rows of this page"
        checked={all}
        indeterminate={!all && selection.selected.size > 0}
        onChange={(event) => selection.onChange(new Set(event.target.checked ? keys : []))}
      />
    </th>
  )
}

function ActionBar({ selection }: { selection: Selection }) {
  return (
    <div
      role="toolbar"
      aria-label="Selection"
      className="sticky top-0 z-20 flex flex-wrap items-center gap-2 border-b bg-accent-soft px-4 py-2 text-base text-ink"
    >
      <span className="mr-2 font-medium tabular-nums">{formatNumber(selection.selected.size)} selected</span>
      {selection.actions}
      <Button kind="quiet" size="sm" className="ml-auto" onClick={() => selection.onChange(new Set())}>
        Clear selection
      </Button>
    </div>
  )
}

function moveFocus(body: HTMLElement | null, by: number) {
  const targets = [...(body?.querySelectorAll<HTMLElement>('[data-row-open]') ?? [])]
  const at = targets.indexOf(document.activeElement as HTMLElement)
  targets[at === -1 ? (by > 0 ? 0 : targets.length - 1) : Math.min(Math.max(at + by, 0), targets.length - 1)]?.focus()
}
