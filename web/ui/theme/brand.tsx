import { cx } from '../lib/class-names.ts'

/** A lark whose wing is the flap of an envelope; one path, one color. public/favicon.svg holds the same path. */
const LARK =
  'M23.9 4.5C26.2 4.5 28 5.8 28.7 7.8L31.1 9C31.7 9.3 31.7 10.1 31.1 10.4L28.9 11.4C28.9 20.3 23.3 26.5 14.4 26.5L4 26.5C2.6 26.5 1.5 25.4 1.5 24' +
  'L1.5 12.4L12.2 20.3C13.3 21.1 14.8 21.1 15.9 20.3L21.3 16.2C21.9 15.7 22 14.9 21.6 14.3C21.1 13.7 20.3 13.6 19.7 14.1L14.6 17.9C14.2 18.2 13.8 18.2 13.4 17.9' +
  'L1.5 9L1.5 8.6C1.5 7.3 2.6 6.2 4 6.2L13 6.2C14.5 6.2 15.6 6.4 17.1 7.6L18.6 8.8C19.3 6.2 21.3 4.5 23.9 4.5ZM24.6 7.6a1.35 1.35 0 1 0 .01 0Z'

/** The mark alone, in the color of the text around it. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0.5 3 32 25"
      className={cx('h-6 w-auto', className)}
      fill="currentColor"
      fillRule="evenodd"
    >
      <path d={LARK} />
    </svg>
  )
}

/** The mark with the name. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-2 text-ink', className)}>
      <Mark className="text-accent-text" />
      <span className="text-[1.0625rem] font-[650] tracking-[-0.025em]">Postlark</span>
    </span>
  )
}
