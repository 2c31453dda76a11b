import { cx } from '../lib/class-names.ts'
import { formatNumber } from '../lib/format.ts'

type PartTone = 'accent' | 'good' | 'attention' | 'harm' | 'waiting'

export interface ProgressPart {
  label: string
  value: number
  tone: PartTone
}

const tones: Record<PartTone, string> = {
  accent: 'bg-accent',
  good: 'bg-good',
  attention: 'bg-attention hatched',
  harm: 'bg-harm',
  waiting: 'bg-line',
}

interface ProgressBarProps {
  label: string
  parts: ProgressPart[]
  /** The whole; the sum of the parts unless told. */
  total?: number
  /** Names and numbers under the bar. */
  legend?: boolean
  className?: string
}

/** One bar with parts, such as sent, failed and waiting. Its text alternative says every part. */
export function ProgressBar({
  label,
  parts,
  total = parts.reduce((sum, part) => sum + part.value, 0),
  legend,
  className,
}: ProgressBarProps) {
  const words = parts.map((part) => `${part.label} ${formatNumber(part.value)}`).join(', ')
  const shown = parts.filter((part) => part.value > 0)
  return (
    <div className={className}>
      <div
        role="img"
        aria-label={`${label}: ${words}, of ${formatNumber(total)}`}
        className="flex h-2.5 gap-0.5 overflow-hidden rounded-full bg-line"
      >
        {shown.map((part) => (
          <span
            key={part.label}
            className={cx('h-full min-w-1 transition-[width] duration-200', tones[part.tone])}
            style={{ width: `${total > 0 ? (part.value / total) * 100 : 0}%` }}
          />
        ))}
      </div>
      {legend && (
        <ul className="mt-2.5 flex flex-wrap gap-x-5 gap-y-1 text-sm text-text">
          {parts.map((part) => (
            <li key={part.label} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={cx('size-2.5 rounded-[3px]', tones[part.tone])} />
              {part.label} <span className="font-medium text-ink tabular-nums">{formatNumber(part.value)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
