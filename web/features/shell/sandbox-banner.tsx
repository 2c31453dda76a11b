import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { Link } from 'react-router'
import { system } from '#contracts/system/system.ts'
import { publicApi } from '#web/api.ts'

/** Whether email goes to the emulator on this machine instead of out; false until it is known. */
export function useSandbox(): boolean {
  const { data } = useQuery({
    queryKey: ['system'],
    queryFn: () => publicApi(system.info),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data?.sandbox === true
}

/** One line at the top of the pages while nothing is really sent. */
export function SandboxBanner() {
  if (!useSandbox()) return null
  return (
    <aside
      aria-label="Sandbox"
      className="flex min-h-7 flex-wrap items-center justify-center gap-x-3 border-b bg-attention-soft px-4 py-1 text-sm text-ink"
    >
      <span className="flex items-center gap-2">
        <FlaskConical aria-hidden="true" className="size-3.5 text-attention-text" />
        Sandbox mode: no real messages are sent
      </span>
      <Link to="/sandbox" className="rounded-[3px] font-medium underline underline-offset-3">
        View sent messages
      </Link>
    </aside>
  )
}

/** The same in one word, for the bar of a page without the sidebar. */
export function SandboxPill() {
  if (!useSandbox()) return null
  return (
    <a
      href="/sandbox"
      target="_blank"
      rel="noreferrer"
      title="Sandbox mode: no real messages are sent"
      className="inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full bg-attention-soft px-2 text-xs font-medium text-attention-text hover:underline"
    >
      <FlaskConical aria-hidden="true" className="size-3.5" />
      <span className="max-wide:sr-only">Sandbox</span>
      <span className="sr-only">, view sent messages (opens a new tab)</span>
    </a>
  )
}
