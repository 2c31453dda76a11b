import { escapeText } from 'entities/escape'

/** Elements that stand on lines of their own. */
const LINES = new Set([
  'P',
  'DIV',
  'LI',
  'UL',
  'OL',
  'H1',
  'H2',
  'H3',
  'H4',
  'H5',
  'H6',
  'TR',
  'TABLE',
  'BLOCKQUOTE',
  'PRE',
])
const SILENT = new Set(['STYLE', 'SCRIPT', 'TITLE', 'NOSCRIPT', 'TEMPLATE', 'XML', 'SVG'])
const KEPT: Record<string, string> = { B: 'b', STRONG: 'b', I: 'i', EM: 'i', U: 'u' }

/**
 * What HTML from another program says, in what the words of an email can hold: text, bold, italic, underlined, links and
 * lines. Built anew from an allow-list, so that nothing of the other program's dress, and nothing that acts, comes along.
 */
export function pastedHtml(html: string): string {
  const out: string[] = []
  const line = () => {
    if (out.length > 0 && out.at(-1) !== '<br>') out.push('<br>')
  }
  const walk = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = (node.nodeValue ?? '').replace(/[\s\u00a0]+/g, ' ')
      const isFirst = out.length === 0 || out.at(-1) === '<br>'
      if (text.trim() !== '' || !isFirst) out.push(escapeText(isFirst ? text.trimStart() : text))
      return
    }
    if (!(node instanceof Element) || SILENT.has(node.tagName.toUpperCase())) return
    const name = node.tagName.toUpperCase()
    if (name === 'BR') return void out.push('<br>')
    const isLine = LINES.has(name)
    if (isLine) line()
    const [before, after] = markupAround(node, name)
    if (before) out.push(before)
    for (const child of node.childNodes) walk(child)
    if (after) out.push(after)
    if (isLine) line()
  }
  walk(new DOMParser().parseFromString(html, 'text/html').body)
  while (out.at(-1) === '<br>') out.pop()
  return out.join('')
}

function markupAround(element: Element, name: string): [string, string] {
  if (name === 'LI') return ['• ', '']
  if (name === 'A') {
    const href = element.getAttribute('href')?.trim() ?? ''
    return /^(https?:|mailto:|tel:)/i.test(href)
      ? [`<a href="${escapeText(href).replace(/"/g, '&quot;')}">`, '</a>']
      : ['', '']
  }
  const kept = KEPT[name]
  return kept ? [`<${kept}>`, `</${kept}>`] : ['', '']
}
