/** One length as MJML writes it: the unit is empty for a bare 0. */
export interface Length {
  value: number
  unit: '' | 'px' | '%' | 'em'
}

const LENGTH = /^(-?\d{1,5}(?:\.\d{1,4})?)(px|%|em)?$/i

/** A length such as 16px, 50% or 0; undefined for anything else, which is left as its author wrote it. */
export function parseLength(text: string): Length | undefined {
  const [, number, unit = ''] = LENGTH.exec(text.trim()) ?? []
  if (number === undefined || (unit === '' && Number(number) !== 0)) return undefined
  return { value: Number(number), unit: unit.toLowerCase() as Length['unit'] }
}

export const formatLength = ({ value, unit }: Length): string => `${value}${unit === '' && value !== 0 ? 'px' : unit}`

/** Four lengths clockwise: top, right, bottom, left; of corners from the top left one. */
export type FourLengths = [Length, Length, Length, Length]

/** CSS's shorthand of one to four lengths; undefined for anything else. */
export function parseFour(text: string): FourLengths | undefined {
  const parts = text
    .trim()
    .split(/\s+/)
    .map((part) => parseLength(part))
  if (parts.length > 4 || parts.some((part) => part === undefined)) return undefined
  const [first, second = first, third = first, fourth = second] = parts as Length[]
  return first ? ([first, second, third, fourth] as FourLengths) : undefined
}

const isSame = (a: Length, b: Length) => formatLength(a) === formatLength(b)

/** Whether one value stands for all four. */
export const isUniform = ([first, ...others]: FourLengths): boolean => others.every((one) => isSame(first, one))

/** The shortest shorthand of four lengths. */
export function formatFour([top, right, bottom, left]: FourLengths): string {
  const parts = [top, right, bottom, left].map(formatLength)
  if (!isSame(left, right)) return parts.join(' ')
  if (!isSame(top, bottom)) return parts.slice(0, 3).join(' ')
  return isSame(top, right) ? (parts[0] as string) : parts.slice(0, 2).join(' ')
}

/** A color as #rrggbb for the picker; undefined for what it cannot show. */
export function toHex(color: string): string | undefined {
  const [, short, long] = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(color.trim()) ?? []
  if (long) return `#${long.toLowerCase()}`
  return short && `#${[...short.toLowerCase()].map((digit) => digit + digit).join('')}`
}

const SIDES = ['top', 'right', 'bottom', 'left'] as const

type Values = Readonly<Record<string, string | undefined>>

/**
 * The padding an element has: a side of its own counts more than the shorthand, as MJML reads them. Undefined where one of
 * them is no plain length.
 */
export function readPadding(values: Values): FourLengths | undefined {
  const all = parseFour(values.padding ?? '0')
  const sides = SIDES.map((side, at) => {
    const own = values[`padding-${side}`]
    return own === undefined ? all?.[at] : parseLength(own)
  })
  return sides.some((side) => side === undefined) ? undefined : (sides as FourLengths)
}

/**
 * The attributes that give an element a padding, with the ones to take away as empty. Where `inherited` sets a side of its
 * own, the element has to as well, because a side counts more than the shorthand.
 */
export function writePadding(padding: FourLengths, inherited: Values): Record<string, string> {
  const sides = SIDES.map((side, at) => {
    const name = `padding-${side}`
    return [name, inherited[name] === undefined ? '' : formatLength(padding[at] as Length)]
  })
  return { padding: formatFour(padding), ...Object.fromEntries(sides) }
}
