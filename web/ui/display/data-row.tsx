// biome-ignore-all lint/a11y/noRedundantRoles: the phone's layout takes the table display away, and the roles with it
import { Link } from 'react-router'
import { Checkbox } from '../form/checkbox.tsx'
import { cx } from '../lib/class-names.ts'

export interface Column<Row> {
  id: string
  header: React.ReactNode
  cell: (row: Row) => React.ReactNode
  /** Right-aligned with tabular figures. */
  number?: boolean
  /** Not shown on a phone's card. */
  wideOnly?: boolean
  /** A button or a menu at the end; on the phone's card it is at the top right, beside the headline. */
  actions?: boolean
  /** As in CSS; columns share the room by their content unless told. */
  width?: string
  /** Its header is pressed to sort by it; see Sorting. */
  sortable?: boolean
}

interface DataRowProps<Row> {
  row: Row
  columns: Column<Row>[]
  href: string | undefined
  onOpen: (() => void) | undefined
  selected: boolean | undefined
  selecting: boolean
  onSelect: ((selected: boolean) => void) | undefined
  /** Came just now: a tint that fades. */
  fresh?: boolean | undefined
  /** Its place among all rows, from 0, where not all of them are drawn. */
  index?: number
  ref?: React.Ref<HTMLTableRowElement>
}

/** The width of a column for its cells, which take it where the table is one: on a phone they are lines of a card. */
export const columnWidth = ({ width }: { width?: string }) => ({ '--column': width }) as React.CSSProperties

/** One row of a DataTable; on a phone a card whose first column is the headline. */
export function DataRow<Row>({
  row,
  columns,
  href,
  onOpen,
  selected,
  selecting,
  onSelect,
  fresh,
  index,
  ref,
}: DataRowProps<Row>) {
  const [first, ...others] = columns
  if (!first) return null
  return (
    // The first column holds the link or button that the keyboard uses.
    <tr
      ref={ref}
      data-index={index}
      role="row"
      // The header is the first row.
      aria-rowindex={index === undefined ? undefined : index + 2}
      aria-selected={onSelect ? Boolean(selected) : undefined}
      onClick={(event) => {
        const inside = (event.target as Element).closest('a,button,input,label,select,[role=menu]')
        if (!inside && !getSelection()?.toString()) onOpen?.()
      }}
      className={cx(
        'group relative block border-b px-4 py-3 transition-colors last:border-b-0 md:table-row md:p-0',
        onOpen && 'cursor-pointer hover:bg-hover/60',
        selected && 'bg-accent-soft/60',
        fresh && 'animate-fresh',
      )}
    >
      {onSelect && (
        <td
          role="cell"
          className="absolute top-3 right-4 md:static md:table-cell md:w-10 md:border-b md:pl-4 md:group-last:border-b-0"
        >
          <Checkbox
            aria-label="Select this row"
            checked={Boolean(selected)}
            onChange={(event) => onSelect(event.target.checked)}
            className={cx(!selecting && 'hover-device:opacity-0 group-hover:opacity-100! focus-within:opacity-100!')}
          />
        </td>
      )}
      <td
        role="cell"
        style={columnWidth(first)}
        className={cx(
          'block h-auto md:w-(--column) font-medium text-ink md:table-cell md:h-11 md:max-w-80 min-[1200px]:max-w-[min(20rem,20vw)] md:border-b md:px-4 md:group-last:border-b-0',
          onSelect ? 'max-md:pr-10' : others.some((column) => column.actions && !column.wideOnly) && 'max-md:pr-20',
        )}
      >
        <RowOpener href={href} onOpen={onOpen}>
          {first.cell(row)}
        </RowOpener>
      </td>
      {others.map((column) => (
        <td
          key={column.id}
          role="cell"
          style={columnWidth(column)}
          className={cx(
            'mt-1 md:w-(--column) items-baseline justify-between gap-4 md:mt-0 md:table-cell md:h-11 md:max-w-72 min-[1200px]:max-w-[min(18rem,14vw)] md:truncate md:border-b md:px-4 md:group-last:border-b-0',
            column.wideOnly ? 'hidden' : 'flex',
            column.number && 'tabular-nums md:text-right',
            column.actions &&
              cx(
                'justify-end',
                !column.width && 'md:w-px',
                !onSelect && 'max-md:absolute max-md:top-2 max-md:right-3 max-md:mt-0',
              ),
          )}
        >
          {!column.actions && (
            <span aria-hidden="true" className="shrink-0 text-sm text-muted md:hidden">
              {column.header}
            </span>
          )}
          <span className="min-w-0 truncate max-md:text-right">{column.cell(row)}</span>
        </td>
      ))}
    </tr>
  )
}

function RowOpener({
  href,
  onOpen,
  children,
}: {
  href: string | undefined
  onOpen: (() => void) | undefined
  children: React.ReactNode
}) {
  const look = 'block max-w-full rounded-control text-left wrap-anywhere md:truncate'
  if (href)
    return (
      <Link to={href} data-row-open className={look}>
        {children}
      </Link>
    )
  if (onOpen)
    return (
      <button type="button" data-row-open onClick={onOpen} className={look}>
        {children}
      </button>
    )
  return <span className={look}>{children}</span>
}
