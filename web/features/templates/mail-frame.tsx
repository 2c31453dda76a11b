import { useMemo } from 'react'

/**
 * A letter's HTML made fit for a frame inside our own page: nothing that runs, loads styles from elsewhere or leads away.
 * The frame is sandboxed as well; this only keeps the browser from complaining about what it blocks.
 */
function frameDocument(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const element of page.querySelectorAll('script, link, iframe, object, embed, base, meta[http-equiv]'))
    element.remove()
  for (const style of page.querySelectorAll('style'))
    style.textContent = (style.textContent ?? '').replace(/@import[^;]+;?/gi, '')
  const base = page.createElement('base')
  base.target = '_blank'
  page.head.prepend(base)
  return `<!doctype html>${page.documentElement.outerHTML}`
}

interface MailFrameProps {
  html: string
  title: string
  className?: string
  style?: React.CSSProperties
  /** A picture of the letter: the keyboard passes it by. */
  still?: boolean
}

/** A letter, shown in a sandboxed frame: no scripts, no forms, links lead nowhere. Paper is white in the dark theme too. */
export function MailFrame({ html, title, className, style, still }: MailFrameProps) {
  const source = useMemo(() => frameDocument(html), [html])
  return (
    <iframe
      title={title}
      sandbox=""
      srcDoc={source}
      loading="lazy"
      tabIndex={still ? -1 : undefined}
      aria-hidden={still || undefined}
      className={className}
      style={{ background: '#fff', colorScheme: 'light', ...style }}
    />
  )
}
