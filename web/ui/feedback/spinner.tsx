import { cx } from '../lib/class-names.ts'

/** A turning ring in the color of the text around it; silent to screen readers, put words beside it. */
export function Ring({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className={cx('size-4 animate-spin', className)} fill="none">
      <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M14.25 8A6.25 6.25 0 0 0 8 1.75" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}

/** A ring with its words, for a whole screen or a part of it. */
export function Spinner({ text = 'Loading...', className }: { text?: string; className?: string }) {
  return (
    <div role="status" className={cx('flex items-center justify-center gap-2 text-base text-muted', className)}>
      <Ring />
      {text}
    </div>
  )
}
