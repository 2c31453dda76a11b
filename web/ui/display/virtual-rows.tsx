// biome-ignore-all lint/a11y/noRedundantRoles: the phone's layout takes the table display away, and the roles with it
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'

interface VirtualRowsProps<Row> {
  rows: Row[]
  rowKey: (row: Row) => string
  draw: (row: Row, place: { index: number; ref: React.Ref<HTMLTableRowElement> }) => React.ReactNode
  onMore: (() => void) | undefined
}

/** Rows ahead of the view that are loaded before anybody comes to them. */
const AHEAD = 150
const ROW = 44
const CARD = 190
/** A phone's layout, as in DataRow. */
const isCards = () => innerWidth < 768

/** The rows of a long table that are in sight of the window, between two spacers that stand for the others. */
export function VirtualRows<Row>({ rows, rowKey, draw, onMore }: VirtualRowsProps<Row>) {
  const start = useRef<HTMLTableRowElement>(null)
  const focused = useRef(-1)
  const [margin, setMargin] = useState(0)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isCards() ? CARD : ROW),
    overscan: 10,
    // A frame later is soon enough, and several scrolls within one frame are drawn once.
    useFlushSync: false,
    scrollMargin: margin,
    getItemKey: (index) => rowKey(rows[index] as Row),
    // The row with the focus stays drawn wherever one scrolls, so that the focus is not lost.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      if (focused.current < 0 || focused.current >= rows.length || shown.includes(focused.current)) return shown
      return [...shown, focused.current].sort((a, b) => a - b)
    },
  })

  // What stands above the table grows and shrinks while somebody looks at it.
  useLayoutEffect(() => {
    const place = () => {
      if (start.current) setMargin(Math.round(start.current.getBoundingClientRect().top + scrollY))
    }
    place()
    const observer = new ResizeObserver(place)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    const body = start.current?.parentElement
    if (!body) return
    const note = (event: FocusEvent) => {
      const row = (event.target as Element).closest('[data-index]')
      focused.current = row ? Number(row.getAttribute('data-index')) : -1
    }
    const leave = () => {
      focused.current = -1
    }
    body.addEventListener('focusin', note)
    body.addEventListener('focusout', leave)
    return () => {
      body.removeEventListener('focusin', note)
      body.removeEventListener('focusout', leave)
    }
  }, [])

  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= rows.length - AHEAD) onMore?.()
  }, [last, rows.length, onMore])

  // A row that stays in sight while one scrolls is the same element, so that React passes over it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever draws otherwise starts anew
  const drawn = useMemo(() => new Map<number, React.ReactNode>(), [rows, draw])
  const rowAt = (index: number) => {
    const known = drawn.get(index)
    if (known) return known
    // Rows of a table are all alike; only cards have to be measured.
    const row = draw(rows[index] as Row, { index, ref: isCards() ? virtual.measureElement : null })
    drawn.set(index, row)
    return row
  }

  let end = margin
  return (
    <>
      <Spacer ref={start} height={0} />
      {shown.flatMap((item) => {
        const gap = item.start - end
        end = item.end
        const row = rowAt(item.index)
        return gap > 0 ? [<Spacer key={`before ${item.key}`} height={gap} />, row] : [row]
      })}
      <Spacer height={Math.max(0, virtual.getTotalSize() + margin - end)} />
    </>
  )
}

function Spacer({ height, ref }: { height: number; ref?: React.Ref<HTMLTableRowElement> }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <tr ref={ref} aria-hidden="true" className="block md:table-row">
      <td className="block p-0 md:table-cell" style={{ height }} />
    </tr>
  )
}
