import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { Link } from 'react-router'
import { system } from '#contracts/system/system.ts'
import { publicApi } from '#web/api.ts'

/** One line at the top where mail goes to the emulator on this machine instead of out. */
export function SandboxBanner({ admin }: { admin: boolean }) {
  const { data } = useQuery({
    queryKey: ['system'],
    queryFn: () => publicApi(system.info),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data?.sandbox) return null
  return (
    <aside
      aria-label="Sandbox"
      className="flex min-h-9 flex-wrap items-center justify-center gap-x-3 border-b bg-attention-soft px-4 py-1.5 text-sm text-ink"
    >
      <span className="flex items-center gap-2">
        <FlaskConical aria-hidden="true" className="size-4 text-attention-text" />
        Sandbox mode: no real messages are sent
      </span>
      {admin && (
        <Link to="/sandbox" className="rounded-[3px] font-medium underline underline-offset-3">
          View sent messages
        </Link>
      )}
    </aside>
  )
}
