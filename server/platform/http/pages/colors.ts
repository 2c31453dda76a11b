import { colord, extend } from 'colord'
import a11yPlugin from 'colord/plugins/a11y'

extend([a11yPlugin])

/** A color, darkened as far as it takes to have this contrast (WCAG 2.2) with white. `hex` and the result are #rrggbb. */
export function darken(hex: string, contrast: number): string {
  let color = colord(hex)
  while (color.contrast('#ffffff') < contrast) {
    const { r, g, b } = color.rgba
    color = colord({ r: r * 0.95, g: g * 0.95, b: b * 0.95 })
  }
  return color.toHex()
}

/** A color, lightened as far as it takes to have this contrast with a dark one. */
export function lighten(hex: string, dark: string, contrast: number): string {
  let color = colord(hex)
  while (color.contrast(dark) < contrast) {
    const { r, g, b } = color.rgba
    color = colord({ r: r + (255 - r) * 0.05, g: g + (255 - g) * 0.05, b: b + (255 - b) * 0.05 })
  }
  return color.toHex()
}
