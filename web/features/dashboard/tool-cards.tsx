import { ArrowRight, Lock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { type Tool, tools } from '#web/features/shell/index.ts'
import { cx } from '#web/ui/lib/class-names.ts'

const all: Tool[] = Object.values(tools)

/** The tool a card of the landing page promised, by its id in the address. */
export const findTool = (service: string | null): Tool | undefined =>
  all.find((tool) => service !== null && tool.service === service)

interface ToolCardsProps {
  /** Whether the plan is free; undefined while nobody knows. */
  free: boolean | undefined
  /** The tool somebody came for: it stands first, marked and with the focus. */
  wanted: Tool | undefined
}

/** A card a tool. */
export function ToolCards({ free, wanted }: ToolCardsProps) {
  const first = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (!wanted) return
    first.current?.focus({ preventScroll: true })
    first.current?.scrollIntoView({ block: 'center' })
  }, [wanted])
  const ordered = wanted ? [wanted, ...all.filter((tool) => tool !== wanted)] : all
  return (
    <section aria-labelledby="tools">
      <h2 id="tools" className="mb-3 text-base font-semibold">
        Tools
      </h2>
      <ul className="grid gap-3 sm:grid-cols-2 wide:grid-cols-3">
        {ordered.map((tool) => (
          <li key={tool.to} className={cx(tool === wanted && 'sm:col-span-2 wide:col-span-3')}>
            <ToolCard tool={tool} locked={free === true && tool.paid === true} wanted={tool === wanted} link={first} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface ToolCardProps {
  tool: Tool
  locked: boolean
  wanted: boolean
  link: React.Ref<HTMLAnchorElement>
}

function ToolCard({ tool, locked, wanted, link }: ToolCardProps) {
  const Icon = tool.icon
  return (
    <Link
      {...(wanted && { ref: link })}
      to={locked ? '/plan' : tool.to}
      title={locked ? 'Upgrade to access' : undefined}
      className={cx(
        'group flex h-full gap-4 rounded-card border p-4 transition-colors',
        wanted ? 'border-accent-text bg-accent-soft sm:p-5' : 'bg-surface hover:border-control hover:bg-raised',
      )}
    >
      <span
        className={cx(
          'grid size-9 shrink-0 place-items-center rounded-control',
          wanted ? 'bg-accent text-on-accent' : 'bg-accent-soft text-accent-text',
        )}
      >
        <Icon aria-hidden="true" className="size-4.5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-base font-semibold text-ink">{tool.label}</span>
        <span className="mt-0.5 block text-sm text-text">{tool.does}</span>
        {wanted && (
          <span className="mt-2 flex items-center gap-1.5 text-sm font-medium text-accent-text">
            {locked ? 'Available on paid plans. View plans' : 'Open'}
            <ArrowRight aria-hidden="true" className="size-3.5 transition group-hover:translate-x-0.5" />
          </span>
        )}
      </span>
      {locked && <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />}
    </Link>
  )
}
