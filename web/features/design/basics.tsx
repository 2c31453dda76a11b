import { cx } from '#web/ui/lib/class-names.ts'
import { Part } from './part.tsx'

const sizes = [
  ['text-4xl', '60'],
  ['text-3xl', '44'],
  ['text-2xl', '32'],
  ['text-xl', '24'],
  ['text-lg', '20'],
  ['text-read', '17, public pages'],
  ['text-md', '16'],
  ['text-base', '14, the workbench'],
  ['text-sm', '13'],
  ['text-xs', '12'],
] as const

const colors = [
  ['bg-page', 'page'],
  ['bg-surface', 'surface'],
  ['bg-raised', 'raised'],
  ['bg-sunken', 'sunken'],
  ['bg-hover', 'hover'],
  ['bg-ink', 'ink'],
  ['bg-text', 'text'],
  ['bg-muted', 'muted'],
  ['bg-line', 'line'],
  ['bg-control', 'control'],
  ['bg-accent', 'accent'],
  ['bg-accent-soft', 'accent-soft'],
  ['bg-good', 'good'],
  ['bg-good-soft', 'good-soft'],
  ['bg-attention', 'attention'],
  ['bg-attention-soft', 'attention-soft'],
  ['bg-harm', 'harm'],
  ['bg-harm-soft', 'harm-soft'],
  ['bg-chart-opens', 'chart-opens'],
  ['bg-chart-clicks', 'chart-clicks'],
  ['bg-chart-machine hatched', 'chart-machine'],
  ['bg-gradient-accent', 'gradient: the one most important thing'],
] as const

const steps = ['w-1', 'w-2', 'w-3', 'w-4', 'w-6', 'w-8', 'w-12', 'w-16', 'w-24', 'w-32'] as const

/** Type, color, spacing, corners. */
export function Basics() {
  return (
    <>
      <Part title="Color">
        <ul className="w-full space-y-3">
          {sizes.map(([size, note]) => (
            <li key={size} className="flex items-baseline gap-6">
              <span className="w-32 shrink-0 text-sm text-muted">{note}</span>
              <span className={cx(size, 'truncate font-semibold tracking-tight text-ink')}>Glad to get it 0123</span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Color">
        {colors.map(([look, name]) => (
          <figure key={name} className="w-28">
            <div className={cx('h-14 rounded-card border', look)} />
            <figcaption className="mt-1 text-xs text-muted">{name}</figcaption>
          </figure>
        ))}
      </Part>
      <Part title="Spacing: 4 px">
        <ul className="space-y-2">
          {steps.map((step) => (
            <li key={step} className="flex items-center gap-3 text-xs text-muted">
              <span className="w-10">{Number(step.slice(2)) * 4} px</span>
              <span className={cx('h-3 rounded-[2px] bg-accent', step)} />
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Corners and elevation">
        <div className="grid h-20 w-36 place-items-center rounded-control border bg-surface text-sm">control, 6</div>
        <div className="grid h-20 w-36 place-items-center rounded-card border bg-surface text-sm">card, 10</div>
        <div className="grid h-20 w-36 place-items-center rounded-dialog border bg-raised text-sm shadow-float">
          floating
        </div>
        <div className="grid h-20 w-36 place-items-center rounded-dialog border bg-raised text-sm shadow-dialog">
          dialog, 14
        </div>
      </Part>
    </>
  )
}
