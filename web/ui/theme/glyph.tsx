import { cx } from '../lib/class-names.ts'

/** A small sign of lines on a field of 20 by 20, for public pages, where an icon library would be most of the script. */
export function Glyph({ path, className }: { path: string; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 20 20"
      className={cx('size-5', className)}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  )
}
