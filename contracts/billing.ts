import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Moment } from './values.ts'

const Amounts = z.object({ contacts: z.number().nullable(), emails: z.number().nullable() })

export const billing = {
  status: endpoint('GET /api/subscription/status', 'user', {
    summary: 'The plan, what it allows and what is used this month',
    answer: z.object({
      currentPlan: z.string(),
      renewsAt: Moment.nullable(),
      cancelAtPeriodEnd: z.boolean(),
      usage: Amounts,
      limits: Amounts,
    }),
  }),
}
