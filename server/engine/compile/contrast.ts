/** Whether the text of an email can be read on what is behind it (WCAG 2.2, success criterion 1.4.3). */
import { type Colord, colord, extend } from 'colord'
import a11yPlugin from 'colord/plugins/a11y'
import namesPlugin from 'colord/plugins/names'
import { Parser } from 'htmlparser2'

extend([a11yPlugin, namesPlugin])

interface ColorLook {
  color: Colord
  ground: Colord
  size: number
  bold: boolean
  hidden: boolean
}

const BLACK = colord('#000000')
const WHITE = colord('#ffffff')
/** Links without a color of their own. */
const LINK = colord('#0000ee')

/** A CSS color; undefined for what is not plain, such as gradients and half transparent colors. */
function parseColor(text: string | undefined): Colord | undefined {
  const value = text?.trim() ?? ''
  // The attribute bgcolor has colors without the sign.
  const color = colord(/^([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ? `#${value}` : value)
  return color.isValid() && color.alpha() === 1 ? color : undefined
}

function parseStyle(attributes: Record<string, string>): Map<string, string> {
  const style = new Map<string, string>()
  for (const rule of (attributes.style ?? '').split(';')) {
    const colon = rule.indexOf(':')
    if (colon > 0)
      style.set(
        rule.slice(0, colon).trim().toLowerCase(),
        rule
          .slice(colon + 1)
          .replace(/!important/i, '')
          .trim(),
      )
  }
  return style
}

function inheritLook(parent: ColorLook, name: string, attributes: Record<string, string>): ColorLook {
  const style = parseStyle(attributes)
  const ground =
    parseColor(style.get('background-color')) ?? parseColor(style.get('background')) ?? parseColor(attributes.bgcolor)
  const linkColor = name === 'a' && attributes.href !== undefined ? LINK : undefined
  const size = /^([\d.]+)px/.exec(style.get('font-size') ?? '')?.[1]
  const weight = style.get('font-weight') ?? (/^(?:b|strong|h[1-6]|th)$/.test(name) ? 'bold' : undefined)
  return {
    color: parseColor(style.get('color')) ?? parseColor(attributes.color) ?? linkColor ?? parent.color,
    ground: ground ?? parent.ground,
    size: size === undefined ? parent.size : Number(size),
    bold: weight === undefined ? parent.bold : weight === 'bold' || Number(weight) >= 700,
    // What lies on an image cannot be judged.
    hidden:
      parent.hidden ||
      style.get('display') === 'none' ||
      size === '0' ||
      /url\(/.test(style.get('background') ?? style.get('background-image') ?? '') ||
      attributes.background !== undefined,
  }
}

const SILENT = new Set(['style', 'script', 'title', 'head'])
const VOID = new Set(['img', 'br', 'hr', 'meta', 'link', 'input', 'col', 'area', 'base', 'wbr', 'source'])

/** A sentence for each pair of colors that is too faint, at most five. */
export function contrastProblems(html: string): string[] {
  const faint = new Map<string, string>()
  const stack: { name: string; look: ColorLook }[] = []
  const top = (): ColorLook =>
    stack.at(-1)?.look ?? { color: BLACK, ground: WHITE, size: 16, bold: false, hidden: false }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (VOID.has(name)) return
      const look = inheritLook(top(), name, attributes)
      stack.push({ name, look: SILENT.has(name) ? { ...look, hidden: true } : look })
    },
    ontext(text) {
      const words = text.replace(/[\s\u00a0\u200b-\u200f\ufeff]+/g, ' ').trim()
      const { color, ground, size, bold, hidden } = top()
      if (words === '' || hidden || faint.size >= 5) return
      const ratio = color.contrast(ground)
      if (ratio >= (size >= 24 || (bold && size >= 18.66) ? 3 : 4.5)) return
      const pair = `${color.toHex()} on ${ground.toHex()}`
      if (!faint.has(pair))
        faint.set(
          pair,
          `“${words.slice(0, 40)}” is hard to read: the contrast of ${pair} is ${ratio.toFixed(1)}, and at least 4.5 is required`,
        )
    },
    onclosetag(name) {
      const at = stack.findLastIndex((open) => open.name === name)
      if (at >= 0) stack.length = at
    },
  })
  parser.end(html)
  return [...faint.values()]
}
