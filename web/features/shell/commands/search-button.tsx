import { Search } from 'lucide-react'
import { useOpenPalette } from './commands.tsx'

/** Looks like a search field and opens the command palette. */
export function SearchButton({ onOpen }: { onOpen: () => void }) {
  const open = useOpenPalette()
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => {
        onOpen()
        open()
      }}
      className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-control border border-control/60 bg-raised px-2.5 text-sm text-muted transition-colors hover:border-control hover:text-ink"
    >
      <Search aria-hidden="true" className="size-4 shrink-0" />
      <span className="flex-1 text-left">Search</span>
      <span aria-hidden="true" className="text-xs whitespace-nowrap max-wide:hidden">
        Ctrl K
      </span>
    </button>
  )
}
