import { DomUtils, parseDocument } from 'htmlparser2'

interface ListItem {
  tag: 'ul' | 'ol'
  level: number
  html: string
}

const INDENT = /\bql-indent-(\d)\b/

function toListItem(
  element: Parameters<typeof DomUtils.getInnerHTML>[0] & { attribs: Record<string, string> },
): ListItem {
  const { 'data-list': kind, class: classes = '', ...rest } = element.attribs
  const others = classes.replace(INDENT, '').trim()
  const attributes = others ? { ...rest, class: others } : rest
  element.attribs = attributes
  return {
    tag: kind === 'bullet' ? 'ul' : 'ol',
    level: Number(INDENT.exec(classes)?.[1] ?? 0),
    html: DomUtils.getOuterHTML(element).replace(/<\/li>$/, ''),
  }
}

/** Items of one depth with the deeper ones inside them. A numbered list that another kind interrupts counts on. */
function nested(items: ListItem[]): string {
  const level = Math.min(...items.map((item) => item.level))
  let [html, open, numbered] = ['', '', 0]
  for (let i = 0; i < items.length; ) {
    const item = items[i] as ListItem
    let next = i + 1
    while (next < items.length && (items[next] as ListItem).level > level) next++
    if (item.tag !== open) {
      const start = item.tag === 'ol' && numbered > 0 ? ` start="${numbered + 1}"` : ''
      html += `${open && `</${open}>`}<${item.tag}${start}>`
      open = item.tag
    }
    html += `${item.html}${next > i + 1 ? nested(items.slice(i + 1, next)) : ''}</li>`
    if (item.tag === 'ol') numbered++
    i = next
  }
  return `${html}</${open}>`
}

/**
 * Quill writes every list as one flat <ol> and says of each item in data-list which kind it is, and in a class how deep:
 * readers, feeds and screen readers get real lists inside each other.
 */
export function realLists(html: string): string {
  if (!html.includes('data-list')) return html
  const document = parseDocument(html)
  for (const list of DomUtils.getElementsByTagName('ol', document)) {
    const items = DomUtils.getElementsByTagName('li', list.children, false)
    if (!items.some((item) => 'data-list' in item.attribs)) continue
    for (const node of [...parseDocument(nested(items.map(toListItem))).children]) DomUtils.prepend(list, node)
    DomUtils.removeElement(list)
  }
  return DomUtils.getOuterHTML(document)
}
