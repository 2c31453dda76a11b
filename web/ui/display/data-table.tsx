// biome-ignore-all lint/a11y/noRedundantRoles: the phone's layout takes the table display away, and the roles with it
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { SkeletonRows } from '../feedback/skeleton.tsx'
import { Button } from '../form/button.tsx'
import { Checkbox } from '../form/checkbox.tsx'
import { cx } from '../lib/class-names.ts'
import { formatNumber } from '../lib/format.ts'
import { useHotkey } from '../lib/use-hotkey.ts'
import { type Column, columnWidth, DataRow } from './data-row.tsx'
import { VirtualRows } from './virtual-rows.tsx'

export type { Column } from './data-row.tsx'

export interface Selection {
  selected: ReadonlySet<string>
  onChange: (selected: Set<string>) => void
  /** Buttons of the action bar; they act on the selection. */
  actions: React.ReactNode
  /** Where the list is longer than what is loaded: every row of it can be meant, loaded or not. */
  everything?: { total: number | undefined; chosen: boolean; onChoose: (chosen: boolean) => void }
}

/** The column and the direction the rows come in; pressing a header asks for another. */
export interface Sorting {
  by: string
  order: 'asc' | 'desc'
  onSort: (by: string, order: 'asc' | 'desc') => void
}

/** A list of any length: only the rows in sight are drawn, and more are asked for as their end comes near. Columns need widths. */
export interface Endless {
  /** All rows there are, loaded or not. */
  total: number | undefined
  /** Asked for again with every step toward the end; absent once everything is here. */
  onMore: (() => void) | undefined
}

export interface DataTableProps<Row> {
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
  /** Rows of an older response are shown while the next one comes. */
  stale?: boolean
  sorting?: Sorting
  endless?: Endless
  /** Which rows came just now. */
  isFresh?: (row: Row) => boolean
}

/** Columns that fit beside the sidebar; a table of more scrolls sideways, and its header not with the page. */
const MAX_FITTING = 6

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
  sorting,
  endless,
  isFresh,
}: DataTableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const navigate = useNavigate()
  useHotkey('j k', (key) => moveFocus(body.current, key === 'j' ? 1 : -1))
  if (!rows) return <SkeletonRows />
  if (rows.length === 0 && empty) return <>{empty}</>

  const open = href ? (row: Row) => navigate(href(row)) : onOpen
  const everything = selection?.everything?.chosen === true
  const drawRow = (row: Row, place?: { index: number; ref: React.Ref<HTMLTableRowElement> }) => {
    const key = rowKey(row)
    return (
      <DataRow
        key={key}
        row={row}
        columns={columns}
        href={href?.(row)}
        onOpen={open && (() => open(row))}
        selected={everything || selection?.selected.has(key)}
        selecting={(selection?.selected.size ?? 0) > 0}
        onSelect={selection && ((selected) => selection.onChange(toggled(selection.selected, key, selected)))}
        fresh={isFresh?.(row)}
        {...place}
      />
    )
  }
  return (
    <div
      className={cx(
        'min-w-0 transition-opacity md:max-[1200px]:overflow-x-auto',
        columns.length > MAX_FITTING && 'md:overflow-x-auto',
        stale && 'opacity-60',
      )}
      aria-busy={stale || undefined}
    >
      {selection && selection.selected.size > 0 && <ActionBar selection={selection} table={table} />}
      {selection && selection.selected.size === 0 && rows.length > 0 && (
        <div className="flex justify-end border-b px-2 py-1.5 md:hidden">
          <Button kind="quiet" size="sm" onClick={() => selection.onChange(new Set(rows.map(rowKey)))}>
            Select all
          </Button>
        </div>
      )}
      <table
        ref={table}
        tabIndex={-1}
        role="table"
        aria-label={label}
        aria-rowcount={endless?.total === undefined ? undefined : endless.total + 1}
        className={cx('block w-full text-base md:table', endless && 'md:table-fixed md:[&_td]:px-3 md:[&_th]:px-3')}
      >
        <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
          <tr role="row" className="md:table-row">
            {selection && <HeaderCheckbox selection={selection} keys={rows.map(rowKey)} />}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} role="rowgroup" className="block md:table-row-group">
          {endless ? (
            <VirtualRows rows={rows} rowKey={rowKey} draw={drawRow} onMore={endless.onMore} />
          ) : (
            rows.map((row) => drawRow(row))
          )}
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

function HeaderCell<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const order = sorting?.by === column.id ? sorting.order : undefined
  const Arrow = order === 'asc' ? ArrowUp : order === 'desc' ? ArrowDown : ChevronsUpDown
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}
      style={columnWidth(column)}
      className={cx(
        'md:w-(--column) sticky top-0 z-10 h-9 border-b bg-surface px-4 text-xs font-medium text-muted whitespace-nowrap',
        column.number ? 'text-right' : 'text-left',
      )}
    >
      {column.sortable && sorting ? (
        <button
          type="button"
          onClick={() => sorting.onSort(column.id, order === 'asc' ? 'desc' : 'asc')}
          className={cx('inline-flex items-center gap-1 rounded-[3px] hover:text-ink', order && 'text-ink')}
        >
          {column.header}
          <Arrow aria-hidden="true" className={cx('size-3', !order && 'opacity-60')} />
        </button>
      ) : (
        column.header
      )}
    </th>
  )
}

/** A phone has no header: a button above the rows selects all. */
function HeaderCheckbox({ selection, keys }: { selection: Selection; keys: string[] }) {
  const all = keys.length > 0 && keys.every((key) => selection.selected.has(key))
  return (
    <th
      role="columnheader"
      scope="col"
      className="sticky top-0 z-10 hidden w-10 border-b bg-surface pl-4 text-left md:table-cell"
    >
      <Checkbox
        aria-label={selection.everything ? 'Select all rows loaded' : 'Select all rows of this page'}
        checked={all}
        indeterminate={!all && selection.selected.size > 0}
        onChange={(event) => selection.onChange(new Set(event.target.checked ? keys : []))}
      />
    </th>
  )
}

/** Goes with the selection; the focus it had goes to the table, and not to the top of the page. */
function ActionBar({ selection, table }: { selection: Selection; table: React.RefObject<HTMLTableElement | null> }) {
  const { selected, everything } = selection
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const shown = bar.current
    return () => {
      if (shown?.contains(document.activeElement)) table.current?.focus({ preventScroll: true })
    }
  }, [table])
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label="Selection"
      className="sticky top-0 z-20 flex flex-wrap items-center gap-2 border-b bg-accent-soft px-4 py-2 text-base text-ink"
    >
      <span className="mr-2 font-medium tabular-nums">
        {!everything?.chosen
          ? `${formatNumber(selected.size)} selected`
          : everything.total === undefined
            ? 'All selected'
            : `${formatNumber(everything.total)} selected`}
      </span>
      {everything && !everything.chosen && (everything.total ?? Number.POSITIVE_INFINITY) > selected.size && (
        <Button kind="quiet" size="sm" onClick={() => everything.onChoose(true)}>
          {everything.total === undefined ? 'Select all that match' : `Select all ${formatNumber(everything.total)}`}
        </Button>
      )}
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
