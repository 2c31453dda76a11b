import { Lock } from 'lucide-react'
import { plans } from '#contracts/billing/plans.ts'
import { type Tool, tools } from '#web/features/shell/index.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { price } from './labels.ts'
import { ToolPreview } from './tool-preview.tsx'

const all: Tool[] = Object.values(tools)

/** The paid tool at a path, or at a page below it. */
export const findPaidTool = (path: string | undefined): Tool | undefined =>
  all.find(({ to, paid }) => paid && path !== undefined && (path === to || path.startsWith(`${to}/`)))

/** What a locked tool does, how it looks, and the smallest plan that includes it. */
export function LockedTool({ tool }: { tool: Tool }) {
  const Icon = tool.icon
  return (
    <section
      aria-labelledby="locked-tool"
      className="overflow-hidden rounded-card border bg-surface md:grid md:grid-cols-2"
    >
      <div className="flex flex-col items-start p-5 sm:p-6">
        <span className="grid size-9 place-items-center rounded-control bg-accent-soft text-accent-text">
          <Icon aria-hidden="true" className="size-4.5" />
        </span>
        <h2 id="locked-tool" className="mt-4 text-lg font-semibold">
          {tool.label} is available on paid plans. Upgrade to continue.
        </h2>
        <p className="mt-1.5 text-base text-text">{tool.does}</p>
        <p className="mt-5">
          <Badge tone="accent">
            Included in {plans.starter.title}, {price(plans.starter.price.month)}/mo
          </Badge>
        </p>
      </div>
      <figure className="relative flex flex-col justify-center border-t bg-sunken p-5 sm:p-6 md:border-t-0 md:border-l">
        <div aria-hidden="true" className="overflow-hidden rounded-card border bg-surface text-sm">
          <ToolPreview to={tool.to} />
        </div>
        <figcaption className="mt-3 flex items-center gap-1.5 text-sm text-muted">
          <Lock aria-hidden="true" className="size-3.5" />
          {tool.label} with sample data
        </figcaption>
      </figure>
    </section>
  )
}
