import { Link, type LinkProps } from 'react-router'

/** A link inside a sentence of a public page. */
export function LinkInText(props: LinkProps) {
  return <Link className="font-medium text-accent-text underline underline-offset-3 hover:text-ink" {...props} />
}
