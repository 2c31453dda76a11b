import { MenuChoice } from '../overlay/dropdown-menu.tsx'
import { setTheme, useTheme } from './theme.ts'
import { themeOptions } from './theme-options.ts'

/** The colors as choices of a menu. */
export function ThemeChoice() {
  const options = themeOptions.map(({ icon: Icon, ...option }) => ({ ...option, icon: <Icon aria-hidden="true" /> }))
  return <MenuChoice label="Theme" value={useTheme()} options={options} onChange={setTheme} />
}
