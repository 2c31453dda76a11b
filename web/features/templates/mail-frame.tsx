import { useMemo } from 'react'

const DARK = /\(\s*prefers-color-scheme\s*:\s*dark\s*\)/gi
const LIGHT = /\(\s*prefers-color-scheme\s*:\s*light\s*\)/gi

/**
 * An email's HTML as a page, without anything that runs, loads styles from elsewhere or leads away. What it says of dark and
 * light is decided here: a frame follows the machine it stands on, and not the page around it.
 */
export function emailPage(html: string, isDark = false): Document {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const element of page.querySelectorAll('script, link, iframe, object, embed, base, meta[http-equiv]'))
    element.remove()
  for (const style of page.querySelectorAll('style'))
    style.textContent = (style.textContent ?? '')
      .replace(/@import[^;]+;?/gi, '')
      .replace(isDark ? DARK : LIGHT, '(min-width: 0px)')
      .replace(isDark ? LIGHT : DARK, '(max-width: 0px)')
  return page
}

/**
 * An email's HTML made fit for a frame inside our own page: nothing that runs, loads styles from elsewhere or leads away.
 * The frame is sandboxed as well; this only keeps the browser from complaining about what it blocks.
 */
function frameDocument(html: string, isDark: boolean): string {
  const page = emailPage(html, isDark)
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
  /** A static preview of the email: the keyboard passes it by. */
  still?: boolean
  dark?: boolean
}

/** An email, shown in a sandboxed frame: no scripts, no forms, links lead nowhere. Paper is white in the dark theme too. */
export function MailFrame({ html, title, className, style, still, dark = false }: MailFrameProps) {
  const source = useMemo(() => frameDocument(html, dark), [html, dark])
  return (
    <iframe
      title={title}
      sandbox=""
      srcDoc={source}
      loading="lazy"
      scrolling={still ? 'no' : undefined}
      tabIndex={still ? -1 : undefined}
      aria-hidden={still || undefined}
      className={className}
      style={{ background: dark ? '#17181c' : '#fff', colorScheme: dark ? 'dark' : 'light', ...style }}
    />
  )
}
