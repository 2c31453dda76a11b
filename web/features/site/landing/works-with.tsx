import { Glyph } from '#web/ui/theme/glyph.tsx'
import { worksWith } from '../layout/site-content.ts'

/** The logos strip: standards spoken and technologies worked with, each set as its plain name beside a mark of ours. */
export function WorksWith() {
  return (
    <section aria-labelledby="works-with" className="border-b bg-surface">
      <div className="mx-auto flex max-w-300 flex-col gap-x-10 gap-y-5 px-5 py-8 sm:px-8 wide:flex-row wide:items-center">
        <h2 id="works-with" className="shrink-0 text-sm font-medium tracking-normal text-muted">
          Works with the standards you already use
        </h2>
        <ul className="flex flex-1 flex-wrap items-center gap-x-7 gap-y-3 wide:justify-end">
          {worksWith.map((name, index) => (
            <li key={name} className="flex items-center gap-2 text-md font-semibold tracking-tight text-text">
              <Glyph path={glyphs[index % glyphs.length] ?? ''} className="size-4 text-accent-text" />
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
  'M3 10h13M11 5l5 5-5 5',
  'M10 2.5l6 2.5v5c0 4-2.5 6.5-6 7.5-3.5-1-6-3.5-6-7.5V5zM7.5 10l2 2 3.5-4',
  'M11 4h5v12h-5M3 10h9M9 7l3 3-3 3',
  'M6 5l-4 5 4 5M14 5l4 5-4 5',
  'M10 2.5c4 5 5 6.5 5 9a5 5 0 0 1-10 0c0-2.5 1-4 5-9z',
  'M4 5h12M4 10h12M4 15h8',
  'M3 4h14v12H3zM3 9h14M9 4v12',
  'M4 5.5c0-2.5 12-2.5 12 0v9c0 2.5-12 2.5-12 0zM4 10c0 2.5 12 2.5 12 0',
  'M6.5 2.5v5M13.5 2.5v5M4.5 7.5h11V10a5.5 5.5 0 0 1-11 0zM10 15.5v2.5',
]
