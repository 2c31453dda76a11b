import { worksWith } from './site-content.ts'

/** The logos strip: standards spoken and technologies worked with, each set as its plain name beside a mark of ours. */
export function WorksWith() {
  return (
    <section aria-labelledby="works-with" className="border-b bg-surface">
      <div className="mx-auto flex max-w-300 flex-col gap-x-10 gap-y-5 px-5 py-8 sm:px-8 wide:flex-row wide:items-center">
        <h2 id="works-with" className="shrink-0 text-sm font-medium tracking-normal text-muted">
          Speaks what your mail, your files and your servers speak
        </h2>
        <ul className="flex flex-1 flex-wrap items-center gap-x-7 gap-y-3 wide:justify-end">
          {worksWith.map((name, index) => (
            <li key={name} className="flex items-center gap-2 text-md font-semibold tracking-tight text-text">
              <Glyph kind={index} />
              {name}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** Small marks of our own: an arrow, a seal, a way out, brackets, a drop, rows, a grid, a stack, a plug. */
const glyphs = [
  'M2 8h10M8 4l4 4-4 4',
  'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM6 8l1.5 1.5L10.5 6.5',
  'M9 3h4v10H9M2 8h8M7 5l3 3-3 3',
  'M5 4L2 8l3 4M11 4l3 4-3 4',
  'M8 2c3 4 4 5.5 4 7.5a4 4 0 0 1-8 0C4 7.5 5 6 8 2z',
  'M3 4h10M3 8h10M3 12h6',
  'M2.5 3h11v10h-11zM2.5 7h11M7 3v10',
  'M3 4.5c0-2 10-2 10 0v7c0 2-10 2-10 0zM3 8c0 2 10 2 10 0',
  'M5 2v4M11 2v4M3.5 6h9v2a4.5 4.5 0 0 1-9 0zM8 12.5V15',
]

function Glyph({ kind }: { kind: number }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className="size-4 text-accent-text"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={glyphs[kind % glyphs.length]} />
    </svg>
  )
}
