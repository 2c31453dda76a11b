import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import { cx } from '../lib/class-names.ts'

export type Tone = 'info' | 'good' | 'attention' | 'harm'

const tones: Record<Tone, { className: string; icon: typeof Info }> = {
  info: { className: 'bg-accent-soft border-accent-line [&_svg]:text-accent-text', icon: Info },
  good: { className: 'bg-good-soft border-good/35 [&_svg]:text-good-text', icon: CircleCheck },
  attention: { className: 'bg-attention-soft border-attention/45 [&_svg]:text-attention-text', icon: TriangleAlert },
  harm: { className: 'bg-harm-soft border-harm/35 [&_svg]:text-harm-text', icon: CircleAlert },
}

interface BannerProps {
  tone?: Tone
  title?: React.ReactNode
  /** A button or link at the end. */
  action?: React.ReactNode
  className?: string
  children?: React.ReactNode
  /** `alert` is read aloud at once: only for what just went wrong. */
  role?: 'alert' | 'status'
}

/** A message that stays where it belongs: over a form, a page or a part of it. */
export function Banner({ tone = 'info', title, action, className, children, role }: BannerProps) {
  const { className: look, icon: Icon } = tones[tone]
  return (
    <div
      role={role}
      className={cx(
        'flex items-start gap-2.5 rounded-card border max-sm:flex-wrap px-3.5 py-3 text-base text-ink',
        look,
        className,
      )}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
      <div className="min-w-0 flex-1 max-sm:basis-48">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className={title ? 'mt-0.5 text-text' : undefined}>{children}</div>}
      </div>
      {action && <div className="shrink-0 self-center max-sm:ml-7">{action}</div>}
    </div>
  )
}

/** What went wrong with a whole form, over its first field. Shows nothing when there is nothing to say. */
export function FormBanner({
  error,
  success,
}: {
  error?: string | null | undefined
  success?: string | null | undefined
}) {
  if (error)
    return (
      <Banner tone="harm" role="alert">
        {error}
      </Banner>
    )
  if (success)
    return (
      <Banner tone="good" role="status">
        {success}
      </Banner>
    )
  return null
}
