import { setTheme, useTheme } from './theme.ts'
import { themeOptions } from './theme-options.ts'

/** Three small buttons: like the system, light, dark. */
export function ThemeSwitch() {
  const theme = useTheme()
  return (
    <fieldset aria-label="Colours" className="inline-flex rounded-control border bg-sunken p-0.5">
      {themeOptions.map(({ value, label, icon: Icon }) => (
        <button
          key={value}
          type="button"
          aria-pressed={theme === value}
          aria-label={label}
          title={label}
          onClick={() => setTheme(value)}
          className="inline-flex h-7 items-center gap-1.5 rounded-[4px] px-2 text-sm text-muted transition-colors hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-[0_0_0_1px_var(--color-line)]"
        >
          <Icon aria-hidden="true" className="size-3.5" />
        </button>
      ))}
    </fieldset>
  )
}
