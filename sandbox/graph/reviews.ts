import type { SandboxScope } from '#server/features/sandbox/index.ts'
import { type Graph, review } from './graph.ts'
import type { Business, Component, GraphTemplate } from './state.ts'

/** Which template is decided about, and how. `businessAccountId`: of that business only. */
interface Decision {
  scope: SandboxScope
  name: string
  language?: string
  businessAccountId?: string
  status: string
  reason: string
}

/** Decides about every template that fits, as Meta's reviewer does. Returns how many it was. */
export function reviewAll(graph: Graph, decision: Decision): number {
  const { scope, name, language, businessAccountId, status, reason } = decision
  let changed = 0
  for (const business of graph.state.within(scope)) {
    if (businessAccountId && business.id !== businessAccountId) continue
    for (const template of business.templates) {
      if (template.name !== name || (language && template.language !== language)) continue
      review(graph, business, template, status, reason)
      changed++
    }
  }
  return changed
}

const componentText = (part: Component | undefined): string => part?.text ?? ''

function shown(business: Business, template: GraphTemplate) {
  const part = (type: string) => template.components.find((one) => one.type.toUpperCase() === type)
  const header = part('HEADER')
  const { id, name, language, category, status, reason = '' } = template
  return {
    id,
    businessAccountId: business.id,
    business: business.name,
    name,
    language,
    category,
    status,
    reason,
    quality: template.quality_score?.score ?? 'UNKNOWN',
    header: componentText(header) || (header?.format ?? '').toLowerCase(),
    body: componentText(part('BODY')),
    footer: componentText(part('FOOTER')),
    buttons: part('BUTTONS')?.buttons?.map((button) => button.text ?? '') ?? [],
  }
}

/** The templates of a business as its reviewer sees them, the newest first. */
export const listReviewedTemplates = (business: Business) =>
  business.templates.map((template) => shown(business, template)).reverse()
