/** How bright a colour looks, 0 to 1 (WCAG 2.2, relative luminance). `hex` is #rrggbb. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Whether white can be read on a colour better than black. */
export const isDark = (hex: string): boolean => 1.05 / (luminance(hex) + 0.05) >= 4.5

/** Fonts that most readers have, so that a letter looks as it was made. */
export const FONTS: { label: string; value: string }[] = [
  { label: 'The reader’s own', value: "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" },
  { label: 'Arial', value: 'Arial, Helvetica, sans-serif' },
  { label: 'Verdana', value: 'Verdana, Geneva, sans-serif' },
  { label: 'Tahoma', value: 'Tahoma, Verdana, sans-serif' },
  { label: 'Trebuchet', value: "'Trebuchet MS', Helvetica, sans-serif" },
  { label: 'Georgia', value: "Georgia, 'Times New Roman', serif" },
  { label: 'Times', value: "'Times New Roman', Times, serif" },
  { label: 'Courier', value: "'Courier New', Courier, monospace" },
]

/** What a font is called in a list. */
export const fontLabel = (value: string): string =>
  FONTS.find((font) => font.value === value)?.label ?? (value.split(',')[0] ?? value).replaceAll("'", '').trim()
