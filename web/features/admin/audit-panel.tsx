import { Link } from 'react-router'
import type { AuditLine } from '#contracts/admin/admin.ts'
import { zonedFormat } from '#web/ui/lib/zoned-time.ts'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { factList, formatAction } from './labels.ts'

const moment = zonedFormat({ dateStyle: 'medium', timeStyle: 'long' })

/** Whether a user did it to their own account. */
export const isOwn = ({ actor, subject }: AuditLine) => subject.id !== null && subject.id === actor.id

/** A user who still has an account leads to their panel. */
export function Who({ who, nobody }: { who: AuditLine['actor']; nobody: string }) {
  if (!who.name) return <span className="text-muted">{nobody}</span>
  const name = (
    <span className="block truncate md:max-w-44" title={who.name}>
      {who.name}
    </span>
  )
  if (!who.id || !who.name.includes('@')) return name
  return (
    <Link to={`/admin/users?user=${who.id}`} className="block rounded-[3px] underline-offset-3 hover:underline">
      {name}
    </Link>
  )
}

/** One line of the log with everything it holds. */
export function AuditPanel({ line, onClose }: { line: AuditLine; onClose: () => void }) {
  const facts: [string, React.ReactNode][] = [
    ['Date', moment.format(new Date(line.at))],
    ['By', <Full key="by" who={line.actor} nobody="unknown" />],
    ['Target', isOwn(line) ? 'own account' : <Full key="to" who={line.subject} nobody="-" />],
    ['Workspace', line.workspaceId ?? <span className="text-muted">-</span>],
    ['Network', line.network || <span className="text-muted">-</span>],
    ...factList(line),
  ]
  return (
    <SidePanel open onOpenChange={(open) => !open && onClose()} title={formatAction(line.action)}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2.5">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-6 border-t pt-4 text-sm text-muted">
        Only the network part of the IP address is stored. Entry {line.id}.
      </p>
    </SidePanel>
  )
}

function Full({ who, nobody }: { who: AuditLine['actor']; nobody: string }) {
  if (!who.name) return <span className="text-muted">{nobody}</span>
  if (!who.id || !who.name.includes('@')) return who.name
  return (
    <Link
      to={`/admin/users?user=${who.id}`}
      className="rounded-[3px] font-medium text-accent-text underline-offset-3 hover:underline"
    >
      {who.name}
    </Link>
  )
}
