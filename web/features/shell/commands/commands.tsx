import { createContext, use, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useLazyPart } from '../lazy-part.ts'
import { useSignedIn } from '../signed-in.tsx'
import { useShortcuts } from './shortcuts.ts'

const OpenContext = createContext<() => void>(() => undefined)

/** Opens the command palette. */
export const useOpenPalette = () => use(OpenContext)

const loadWindows = () => import('./command-windows.tsx')

/** The command palette and the shortcuts, for every page below. Their windows are fetched when one is opened. */
export function Commands({ children }: { children: React.ReactNode }) {
  const { ready } = useSignedIn()
  const navigate = useNavigate()
  const [shown, setShown] = useState<'palette' | 'create' | 'help' | null>(null)
  const windows = useLazyPart(loadWindows, () =>
    toast.error('This could not be loaded. Check your connection and try again.'),
  )
  const show = (what: 'palette' | 'create' | 'help') => {
    if (!ready) return
    setShown(what)
    if (!windows.part) void windows.open()
  }
  useShortcuts({
    palette: () => show('palette'),
    create: () => show('create'),
    help: () => show('help'),
    go: (to) => void navigate(to),
  })
  const Part = windows.part
  const close = () => setShown(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a button that opens it need not be drawn anew
  const open = useMemo(() => () => show('palette'), [ready, windows.part])
  return (
    <OpenContext value={open}>
      {children}
      {Part && shown === 'help' && <Part.ShortcutList onClose={close} />}
      {Part && (shown === 'palette' || shown === 'create') && (
        <Part.SignedInPalette creating={shown === 'create'} onHelp={() => setShown('help')} onClose={close} />
      )}
    </OpenContext>
  )
}
