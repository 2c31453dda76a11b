import { editedHtml } from '../mjml-edits.ts'

/** What email programs need at the elements themselves, because they have no style sheet of ours. */
const DRESS: Record<string, string> = {
  H1: 'margin: 0 0 12px; font-size: 28px; line-height: 1.25; font-weight: 700;',
  H2: 'margin: 0 0 10px; font-size: 22px; line-height: 1.3; font-weight: 700;',
  H3: 'margin: 0 0 8px; font-size: 18px; line-height: 1.35; font-weight: 600;',
  P: 'margin: 0;',
  UL: 'margin: 0; padding: 0 0 0 24px;',
  OL: 'margin: 0; padding: 0 0 0 24px;',
  LI: 'margin: 0 0 4px;',
}

/** Declarations that only the browser's editing writes, and that say nothing to an email program. */
const NOISE =
  /^(?:-webkit-|caret-color|word-spacing:\s*normal|letter-spacing:\s*normal|background-color:\s*(?:initial|transparent)|font-(?:variant|stretch|feature|kerning)|orphans|widows|white-space|text-decoration-(?:thickness|style|color)|outline|cursor)/i

const toHexColor = (style: string): string =>
  style.replace(
    /rgb\((\d+),\s*(\d+),\s*(\d+)\)/gi,
    (_, ...parts) =>
      `#${parts
        .slice(0, 3)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')}`,
  )

/** A `<font>`, as browsers write colors and sizes, as a span with a style. */
function replaceFont(font: Element, size: string): void {
  const span = font.ownerDocument.createElement('span')
  const color = font.getAttribute('color')
  const styles = [
    font.getAttribute('style') ?? '',
    color && `color: ${color};`,
    font.hasAttribute('size') && `font-size: ${size};`,
  ]
  span.setAttribute('style', styles.filter(Boolean).join(' '))
  span.append(...font.childNodes)
  font.replaceWith(span)
}

function cleanStyle(element: Element): void {
  const style = element.getAttribute('style')
  if (style === null) return
  const kept = style
    .split(';')
    .map((declaration) => declaration.trim())
    .filter((declaration) => declaration !== '' && !NOISE.test(declaration))
  if (kept.length === 0) element.removeAttribute('style')
  else element.setAttribute('style', `${toHexColor(kept.join('; '))};`)
}

/**
 * The content of an element that was written in place, as HTML that email programs show: no `<font>`, headings and lists with
 * their measures at the element, colors as hex. What its author had in the source stays. `size`: of text whose size was
 * just set.
 */
export function writtenHtml(element: HTMLElement, size = '16px'): string {
  const copy = element.cloneNode(true) as HTMLElement
  for (const font of copy.querySelectorAll('font')) replaceFont(font, size)
  for (const made of copy.querySelectorAll('h1, h2, h3, p, ul, ol, li'))
    if (!made.hasAttribute('style')) made.setAttribute('style', DRESS[made.tagName] ?? '')
    else if (!/margin/i.test(made.getAttribute('style') ?? ''))
      made.setAttribute('style', `${DRESS[made.tagName] ?? ''} ${made.getAttribute('style')}`)
  for (const styled of copy.querySelectorAll('[style]')) if (isWritten(styled)) cleanStyle(styled)
  for (const span of copy.querySelectorAll('span:not([style]):not([class])')) span.replaceWith(...span.childNodes)
  return editedHtml(copy.innerHTML)
}

/** Elements that editing makes; a link or a table of the author keeps its style as it is. */
const isWritten = (element: Element) => /^(?:SPAN|DIV|P|H[1-6]|UL|OL|LI|B|I|U|STRONG|EM)$/.test(element.tagName)
