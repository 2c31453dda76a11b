import type { Server } from 'node:http'
import type { MediaShelf } from './media.ts'
import type { Sending } from './sending.ts'
import type { Business, GraphState } from './state.ts'
import type { Webhooks } from './webhooks.ts'

/** What the stand-in for Graph is made of, for its own tests and its control. */
export interface Graph {
  port: number
  server: Server
  state: GraphState
  webhooks: Webhooks
  sending: Sending
  media: MediaShelf
  /** Milliseconds until a new template is reviewed. */
  reviewMs: number
}

/** Changes the status of a template and tells the callback, as Meta's review does. */
export function review(
  { state, webhooks }: Pick<Graph, 'state' | 'webhooks'>,
  business: Business,
  template: Business['templates'][number],
  status: string,
  reason: string,
): void {
  template.status = status
  template.reason = reason
  state.save()
  webhooks.send(business, {
    field: 'message_template_status_update',
    value: {
      event: status,
      message_template_id: Number(template.id),
      message_template_name: template.name,
      message_template_language: template.language,
      reason: reason || 'NONE',
      message_template_category: template.category,
    },
  })
}
