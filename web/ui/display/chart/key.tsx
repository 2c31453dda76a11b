import { findDash, isLine, type Meaning } from './series.ts'

/** The mark of a curve beside its name: a square of its color, of one line among several the line itself. */
export function Key({ meaning }: { meaning: Meaning }) {
  const color = `var(--color-chart-${meaning})`
  if (!isLine(meaning))
    return (
      <span
        aria-hidden="true"
        className={`size-2.5 shrink-0 rounded-[3px] ${meaning === 'machine' ? 'hatched' : ''}`}
        style={{ backgroundColor: color }}
      />
    )
  return (
    <svg aria-hidden="true" width="24" height="8" className="shrink-0">
      <line x1="0" y1="4" x2="24" y2="4" stroke={color} strokeWidth="2.5" strokeDasharray={findDash(meaning)} />
    </svg>
  )
}
