import { Glyph } from './glyph.tsx'
import { setTheme, type Theme, useTheme } from './theme.ts'

const options: { value: Theme; label: string; path: string }[] = [
  { value: 'system', label: 'System', path: 'M3 4h14v9H3zM7 17h6M10 13v4' },
  {
    value: 'light',
    label: 'Light',
    path: 'M10 6.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 1 1 0-7M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.5 4.5l1 1M14.5 14.5l1 1M4.5 15.5l1-1M14.5 5.5l1-1',
  },
  { value: 'dark', label: 'Dark', path: 'M16.5 11.5A7 7 0 1 1 8.5 3.5a5.5 5.5 0 0 0 8 8z' },
]

/** Three small buttons: like the system, light, dark. */
export function ThemeSwitch() {
  const theme = useTheme()
  return (
    <fieldset aria-label="Theme" className="inline-flex rounded-control border bg-sunken p-0.5">
      {options.map(({ value, label, path }) => (
        <button
          key={value}
          type="button"
          aria-pressed={theme === value}
          aria-label={label}
          title={label}
          onClick={() => setTheme(value)}
          className="inline-flex h-7 items-center gap-1.5 rounded-[4px] px-2 text-sm text-muted transition-colors hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-[0_0_0_1px_var(--color-line)]"
        >
          <Glyph path={path} className="size-3.5" />
        </button>
      ))}
    </fieldset>
  )
}
