import { Monitor, Moon, Sun } from 'lucide-react'
import type { Theme } from './theme.ts'

/** What can be chosen, in the order shown. */
export const themeOptions: { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
]
