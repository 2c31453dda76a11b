import { Keyboard, LogOut } from 'lucide-react'
import { isPaid } from '#contracts/billing/plans.ts'
import { Palette, type PaletteCommand } from '#web/features/search/index.ts'
import { setTheme } from '#web/ui/theme/theme.ts'
import { themeOptions } from '#web/ui/theme/theme-options.ts'
import { createActions } from '../navigation/create-actions.ts'
import { dashboardEntry, footEntries, groups, type NavEntry } from '../navigation/entries.ts'
import { useSandbox } from '../sandbox-banner.tsx'
import { type SignedIn, useSignedIn } from '../signed-in.tsx'
import { furtherPages } from './further-pages.ts'

export { ShortcutList } from './shortcut-list.tsx'

interface SignedInPaletteProps {
  creating: boolean
  onHelp: () => void
  onClose: () => void
}

/** The palette with everything the signed-in user can reach. */
export function SignedInPalette({ creating, onHelp, onClose }: SignedInPaletteProps) {
  const signedIn = useSignedIn()
  const sandbox = useSandbox()
  return (
    <Palette
      userId={signedIn.user?._id ?? ''}
      commands={[...listPlaces(signedIn, sandbox), ...listActions(signedIn, onHelp)]}
      creating={creating}
      onClose={onClose}
    />
  )
}

/** A locked tool leads to the plans, as its entry of the sidebar does. */
function toPlace({ to, paid }: Pick<NavEntry, 'to' | 'paid'>, plan: string | undefined) {
  const locked = paid === true && plan !== undefined && !isPaid(plan)
  return locked ? { to: '/plan', state: { tool: to } } : { to }
}

function listPlaces({ user, plan }: SignedIn, sandbox: boolean): PaletteCommand[] {
  const admin = user?.role === 'admin'
  const entries = [dashboardEntry, ...groups.flatMap(({ entries }) => entries), ...footEntries({ admin, sandbox })]
  return [
    ...createActions.map((action) => ({
      label: action.label,
      keywords: 'create new add',
      group: 'Create' as const,
      icon: action.icon,
      ...toPlace(action, plan),
    })),
    ...[...entries, ...furtherPages.filter((page) => admin || !page.admin)].map((entry) => ({
      label: entry.label,
      keywords: entry.keywords ?? '',
      group: 'Go to' as const,
      icon: entry.icon,
      ...toPlace(entry, plan),
    })),
  ]
}

function listActions({ onLogOut }: SignedIn, onHelp: () => void): PaletteCommand[] {
  return [
    ...themeOptions.map(({ value, label, icon }) => ({
      label: `Switch to ${label.toLowerCase()} theme`,
      keywords: 'appearance colors mode',
      group: 'Actions' as const,
      icon,
      run: () => setTheme(value),
    })),
    { label: 'Show keyboard shortcuts', keywords: 'help keys', group: 'Actions', icon: Keyboard, run: onHelp },
    { label: 'Log out', keywords: 'sign out logout', group: 'Actions', icon: LogOut, run: onLogOut },
  ]
}
