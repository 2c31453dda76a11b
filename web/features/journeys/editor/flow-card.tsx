import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { Journey } from '#contracts/journeys/journeys.ts'
import { cx } from '#web/ui/lib/class-names.ts'

export type JourneyProblem = Journey['problems'][number]

interface FlowCardProps {
  /** Names the card for the focus that returns to it. */
  stepId?: string
  icon: React.ReactNode
  /** A quiet word over the title. */
  kicker?: string
  title: string
  detail?: string | undefined
  /** A dashed card that is read after the others. */
  isQuiet?: boolean
  isShown: boolean
  onShow: () => void
  problems: JourneyProblem[]
  /** A trial passes here (true) or does not (false). */
  isOnPath?: boolean | undefined
  /** A menu at its right end. */
  actions?: React.ReactNode
  /** Counts below. */
  footer?: React.ReactNode
}

/** A card of the flow: the whole of it opens what it is about, except its menu and its links. */
export function FlowCard(props: FlowCardProps) {
  const { stepId, icon, kicker, title, detail, isQuiet, isShown, onShow, problems, isOnPath, actions, footer } = props
  return (
    <article
      data-step={stepId}
      className={cx(
        'relative w-full rounded-card border bg-surface transition-colors md:w-72',
        isQuiet && 'border-dashed border-control/70',
        isShown ? 'border-accent-text ring-1 ring-accent-text' : 'hover:border-control',
        isOnPath === true && !isShown && 'border-accent-text',
        isOnPath === false && 'opacity-50',
      )}
    >
      <div className={cx('flex items-start gap-2.5 px-3', isQuiet ? 'py-1.5' : 'py-2.5')}>
        {icon}
        <button
          type="button"
          aria-pressed={isShown}
          onClick={onShow}
          className={cx(
            'min-w-0 flex-1 rounded-control text-left after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent-text',
            !isQuiet && !kicker && !detail && 'py-0.75',
          )}
        >
          {kicker && <span className="block text-xs text-muted">{kicker}</span>}
          <span className={cx('block text-base wrap-anywhere', isQuiet ? 'text-text' : 'font-medium text-ink')}>
            {title}
          </span>
          {detail && <span className="line-clamp-3 text-sm wrap-anywhere text-muted">{detail}</span>}
        </button>
        {actions && <div className="relative z-1 -mr-1">{actions}</div>}
      </div>
      {problems.length > 0 && (
        <ul className="space-y-1 px-3 pb-2.5">
          {problems.map(({ severity, field, message }) => {
            const Icon = severity === 'error' ? CircleAlert : TriangleAlert
            return (
              <li
                key={`${field} ${message}`}
                className={cx('flex gap-1.5 text-sm', severity === 'error' ? 'text-harm-text' : 'text-attention-text')}
              >
                <Icon aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
                <span className="wrap-anywhere">{message}</span>
              </li>
            )
          })}
        </ul>
      )}
      {footer && (
        <div className="flex flex-wrap gap-x-3 gap-y-0.5 border-t px-3 py-1.5 text-sm text-muted tabular-nums empty:hidden [&_a]:relative [&_a]:z-1">
          {footer}
        </div>
      )}
    </article>
  )
}
