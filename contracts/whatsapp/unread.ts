import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'

export const whatsappUnread = {
  count: endpoint('GET /api/whatsapp/unread', 'user', {
    summary: 'Count the unread conversations of the workspace',
    response: z.object({ conversations: z.number().int() }),
  }),
}
