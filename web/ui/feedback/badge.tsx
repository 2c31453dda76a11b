import { Check, CircleDashed, CircleDot, Clock, LoaderCircle, Minus, Pause, TriangleAlert, X } from 'lucide-react'
import { cx } from '../lib/class-names.ts'

export type BadgeTone = 'neutral' | 'accent' | 'good' | 'attention' | 'harm'
type Shape = 'dot' | 'check' | 'cross' | 'warning' | 'clock' | 'pause' | 'running' | 'dashed' | 'minus'

const tones: Record<BadgeTone, string> = {
  neutral: 'bg-sunken text-text border-line',
  accent: 'bg-accent-soft text-accent-text border-accent-line',
  good: 'bg-good-soft text-good-text border-good/30',
  attention: 'bg-attention-soft text-attention-text border-attention/40',
  harm: 'bg-harm-soft text-harm-text border-harm/30',
}

const shapes: Record<Shape, typeof Check> = {
  dot: CircleDot,
  check: Check,
  cross: X,
  warning: TriangleAlert,
  clock: Clock,
  pause: Pause,
  running: LoaderCircle,
  dashed: CircleDashed,
  minus: Minus,
}

interface BadgeProps {
  tone?: BadgeTone
  /** States carry a shape beside their color and word. */
  shape?: Shape
  className?: string
  children: React.ReactNode
}

/** A small chip with a word: the state of something, or a count. Color never stands alone. */
export function Badge({ tone = 'neutral', shape, className, children }: BadgeProps) {
  const Icon = shape && shapes[shape]
  return (
    <span
      className={cx(
        'inline-flex h-5.5 shrink-0 items-center gap-1 rounded-full border px-2 text-xs font-medium whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {Icon && (
        <Icon aria-hidden="true" strokeWidth={2.4} className={cx('size-3', shape === 'running' && 'animate-spin')} />
      )}
      {children}
    </span>
  )
}
