import { ArrowRight, Lock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { type Tool, tools } from '#web/features/shell/index.ts'

const all: Tool[] = Object.values(tools)

/** The tool a card of the landing page promised, by its id in the address. */
export const findTool = (service: string | null): Tool | undefined =>
  all.find((tool) => service !== null && tool.service === service)

interface ToolCardsProps {
  /** Whether the plan is free; undefined while nobody knows. */
  free: boolean | undefined
  /** The tool somebody came for: it has the focus. */
  wanted: Tool
}

/** The card of the tool that was chosen on the landing page. */
export function ToolCards({ free, wanted }: ToolCardsProps) {
  const first = useRef<HTMLAnchorElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tool takes the focus too
  useEffect(() => {
    first.current?.focus({ preventScroll: true })
    first.current?.scrollIntoView({ block: 'center' })
  }, [wanted])
  return (
    <section aria-labelledby="tools">
      <h2 id="tools" className="sr-only">
        Tools
      </h2>
      <ToolCard tool={wanted} locked={free === true && wanted.paid === true} link={first} />
    </section>
  )
}

interface ToolCardProps {
  tool: Tool
  locked: boolean
  link: React.Ref<HTMLAnchorElement>
}

function ToolCard({ tool, locked, link }: ToolCardProps) {
  const Icon = tool.icon
  return (
    <Link
      ref={link}
      to={locked ? '/plan' : tool.to}
      title={locked ? 'Upgrade to access' : undefined}
      className="group flex gap-4 rounded-card border border-accent-text bg-accent-soft p-4 transition-colors sm:p-5"
    >
      <span className="grid size-9 shrink-0 place-items-center rounded-control bg-accent text-on-accent">
        <Icon aria-hidden="true" className="size-4.5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-base font-semibold text-ink">{tool.label}</span>
        <span className="mt-0.5 block text-sm text-text">{tool.does}</span>
        <span className="mt-2 flex items-center gap-1.5 text-sm font-medium text-accent-text">
          {locked ? 'Available on paid plans. View plans' : 'Open'}
          <ArrowRight aria-hidden="true" className="size-3.5 transition group-hover:translate-x-0.5" />
        </span>
      </span>
      {locked && <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />}
    </Link>
  )
}
