/** Whether the text of a letter can be read on what is behind it (WCAG 2.2, success criterion 1.4.3). */
import { Parser } from 'htmlparser2'

type Rgb = [number, number, number]
interface Look {
  colour: Rgb
  ground: Rgb
  size: number
  bold: boolean
  hidden: boolean
}

const NAMED: Record<string, Rgb> = {
  black: [0, 0, 0],
  white: [255, 255, 255],
  red: [255, 0, 0],
  green: [0, 128, 0],
  blue: [0, 0, 255],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  silver: [192, 192, 192],
  yellow: [255, 255, 0],
  orange: [255, 165, 0],
  navy: [0, 0, 128],
}

/** A CSS colour as bytes; undefined for what is not plain, such as gradients and half transparent colours. */
function colourOf(text: string | undefined): Rgb | undefined {
  const value = text?.trim().toLowerCase() ?? ''
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(value)?.[1]
  if (hex) {
    const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
    return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as Rgb
  }
  const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(value)
  if (parts) return [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return Object.hasOwn(NAMED, value) ? NAMED[value] : undefined
}

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((byte) => {
    const share = byte / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast of two colours, 1 to 21. */
export function contrastOf(a: Rgb, b: Rgb): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function styleOf(attributes: Record<string, string>): Map<string, string> {
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

function lookOf(parent: Look, name: string, attributes: Record<string, string>): Look {
  const style = styleOf(attributes)
  const ground =
    colourOf(style.get('background-color')) ?? colourOf(style.get('background')) ?? colourOf(attributes.bgcolor)
  const linkColour: Rgb | undefined = name === 'a' && attributes.href !== undefined ? [0, 0, 238] : undefined
  const size = /^([\d.]+)px/.exec(style.get('font-size') ?? '')?.[1]
  const weight = style.get('font-weight') ?? (/^(?:b|strong|h[1-6]|th)$/.test(name) ? 'bold' : undefined)
  return {
    colour: colourOf(style.get('color')) ?? colourOf(attributes.color) ?? linkColour ?? parent.colour,
    ground: ground ?? parent.ground,
    size: size === undefined ? parent.size : Number(size),
    bold: weight === undefined ? parent.bold : weight === 'bold' || Number(weight) >= 700,
    // What lies on a picture cannot be judged.
    hidden:
      parent.hidden ||
      style.get('display') === 'none' ||
      size === '0' ||
      /url\(/.test(style.get('background') ?? style.get('background-image') ?? '') ||
      attributes.background !== undefined,
  }
}

const hex = (colour: Rgb) => `#${colour.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
const SILENT = new Set(['style', 'script', 'title', 'head'])
const VOID = new Set(['img', 'br', 'hr', 'meta', 'link', 'input', 'col', 'area', 'base', 'wbr', 'source'])

/** A sentence for each pair of colours that is too faint, at most five. */
export function contrastProblems(html: string): string[] {
  const faint = new Map<string, string>()
  const stack: { name: string; look: Look }[] = []
  const top = (): Look =>
    stack.at(-1)?.look ?? { colour: [0, 0, 0], ground: [255, 255, 255], size: 16, bold: false, hidden: false }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (VOID.has(name)) return
      const look = lookOf(top(), name, attributes)
      stack.push({ name, look: SILENT.has(name) ? { ...look, hidden: true } : look })
    },
    ontext(text) {
      const words = text.replace(/[\s\u00a0\u200b-\u200f\ufeff]+/g, ' ').trim()
      const { colour, ground, size, bold, hidden } = top()
      if (words === '' || hidden || faint.size >= 5) return
      const ratio = contrastOf(colour, ground)
      if (ratio >= (size >= 24 || (bold && size >= 18.66) ? 3 : 4.5)) return
      const pair = `${hex(colour)} on ${hex(ground)}`
      if (!faint.has(pair))
        faint.set(
          pair,
          `“${words.slice(0, 40)}” is hard to read: the contrast of ${pair} is ${ratio.toFixed(1)}, and 4.5 is needed`,
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
