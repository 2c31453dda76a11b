import { Link, type LinkProps } from 'react-router'
import { Ring } from '../feedback/spinner.tsx'
import { cx } from '../lib/class-names.ts'

type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger' | 'gradient'
type Size = 'sm' | 'md' | 'lg'

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-control/60 bg-raised text-ink hover:bg-hover hover:border-control',
  quiet: 'text-text hover:bg-hover hover:text-ink',
  danger: 'bg-harm-fill text-white hover:brightness-90',
  gradient: 'bg-gradient-accent text-white hover:brightness-110',
}

const sizes: Record<Size, string> = {
  sm: 'h-7 px-2.5 text-sm gap-1.5',
  md: 'h-9 px-3.5 text-base gap-2',
  lg: 'h-12 px-6 text-md gap-2.5',
}

/** The classes of a button, for the rare element that is neither a button nor a link of ours. */
export function buttonClass(kind: ButtonKind = 'secondary', size: Size = 'md', className?: string): string {
  return cx(
    'inline-flex shrink-0 select-none items-center justify-center rounded-control font-medium whitespace-nowrap transition',
    'active:translate-y-px disabled:opacity-55 disabled:active:translate-y-0 aria-disabled:opacity-55',
    kinds[kind],
    sizes[size],
    className,
  )
}

type ButtonLook = { kind?: ButtonKind; size?: Size; icon?: React.ReactNode }

export type ButtonProps = React.ComponentProps<'button'> & ButtonLook & { busy?: boolean }

/** A button. `busy` shows a ring, keeps the width, and takes no second press. Say a verb with its object. */
export function Button({
  kind,
  size,
  icon,
  busy,
  className,
  children,
  type = 'button',
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass(kind, size, className)}
      {...rest}
    >
      {busy ? <Ring /> : icon}
      {children}
    </button>
  )
}

/** A link that looks like a button: it leads somewhere, it does nothing. */
export function ButtonLink({ kind, size, icon, className, children, ...rest }: LinkProps & ButtonLook) {
  return (
    <Link className={buttonClass(kind, size, className)} {...rest}>
      {icon}
      {children}
    </Link>
  )
}

/** A square button with an image only; `label` is what a screen reader and the tooltip of the browser say. */
export function IconButton({
  label,
  kind = 'quiet',
  size = 'md',
  className,
  children,
  type = 'button',
  ...rest
}: ButtonProps & { label: string }) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={buttonClass(
        kind,
        size,
        cx(size === 'sm' ? 'w-7' : size === 'lg' ? 'w-12' : 'w-9', 'px-0!', className),
      )}
      {...rest}
    >
      {children}
    </button>
  )
}
