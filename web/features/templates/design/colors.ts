import { colord, extend } from 'colord'
import a11yPlugin from 'colord/plugins/a11y'

extend([a11yPlugin])

/** Whether white can be read on a color better than black. */
export const isDark = (hex: string): boolean => colord(hex).contrast('#ffffff') >= 4.5

/** Fonts that most readers have, so that an email looks as it was made. */
export const FONTS: { label: string; value: string }[] = [
  { label: 'Recipient’s default', value: "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" },
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
