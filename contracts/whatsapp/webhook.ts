import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'

export const whatsapp = {
  verify: endpoint('GET /api/whatsapp/webhook', 'public', {
    refusals: [403],
    types: ['text/plain'],
    summary: 'Verify the webhook: returns hub.challenge if hub.verify_token is correct, else 403',
    transport: 'file',
    query: z.object({
      'hub.mode': z.string().max(50).optional(),
      'hub.challenge': z.string().max(500).optional(),
      'hub.verify_token': z.string().max(500).optional(),
    }),
  }),
  webhook: endpoint('POST /api/whatsapp/webhook', 'public', {
    refusals: [401],
    types: ['application/json'],
    summary: 'Receive webhook events of Meta; X-Hub-Signature-256 is checked over the raw body',
    transport: 'file',
  }),
}
