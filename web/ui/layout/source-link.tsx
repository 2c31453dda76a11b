import { ExternalLink } from 'lucide-react'
import { cx } from '../lib/class-names.ts'

/** "bakery.example/team": what people read of an address. */
export function shortUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  const rest = `${parsed.pathname}${parsed.search}`
  return `${parsed.host.replace(/^www\./, '')}${rest === '/' ? '' : decoded(rest)}`
}

function decoded(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

/**
 * The page something stood on. It is a stranger's: opened apart, told nothing, and vouched for by nobody. Relative, so that
 * what is only read aloud is cut off with the rest of a long line.
 */
export function SourceLink({ url, title, className }: { url: string; title: string; className?: string }) {
  // Only the web's own schemes ever become a link.
  if (!/^https?:\/\//i.test(url)) return <span className={cx('wrap-anywhere', className)}>{url}</span>
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={title ? `${title}\n${url}` : url}
      className={cx(
        'group/link relative text-text underline-offset-3 wrap-anywhere hover:text-ink hover:underline',
        className,
      )}
    >
      {shortUrl(url)}
      <ExternalLink
        aria-hidden="true"
        className="ml-1 inline size-3 text-muted opacity-0 group-hover/link:opacity-100 group-focus-visible/link:opacity-100"
      />
      <span className="sr-only"> (opens a new tab)</span>
    </a>
  )
}
