import type { Server } from 'node:http'
import type { MediaShelf } from './media.ts'
import type { Sending } from './sending.ts'
import type { Business, GraphState } from './state.ts'
import type { Uploads } from './uploads.ts'
import type { Webhooks } from './webhooks.ts'

/** What the emulator for Graph is made of, for its own tests and its control. */
export interface Graph {
  port: number
  server: Server
  state: GraphState
  webhooks: Webhooks
  sending: Sending
  media: MediaShelf
  uploads: Uploads
  /** Milliseconds until a new template is reviewed. */
  reviewMs: number
}

/** Says what people made of a template and tells the callback. */
export function rate(
  { state, webhooks }: Pick<Graph, 'state' | 'webhooks'>,
  business: Business,
  template: Business['templates'][number],
  score: string,
): void {
  const before = template.quality_score?.score ?? 'UNKNOWN'
  template.quality_score = { score, date: Math.floor(Date.now() / 1_000) }
  state.save()
  webhooks.send(business, {
    field: 'message_template_quality_update',
    value: {
      previous_quality_score: before,
      new_quality_score: score,
      message_template_id: Number(template.id),
      message_template_name: template.name,
      message_template_language: template.language,
    },
  })
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
