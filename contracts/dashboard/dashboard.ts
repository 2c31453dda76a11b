import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Id, Moment } from '#contracts/values.ts'

const count = z.number().int()

export const Dashboard = z.object({
  /** The figures below are of email campaigns begun since then: 30 days. */
  since: Moment,
  /** Messages a mail server took. */
  sent: count,
  /** Messages people opened, each counted once, machines skipped; null where nothing that was sent is tracked, so that nobody can know. */
  opened: count.nullable(),
  clicked: count.nullable(),
  /** Addresses and numbers found on web pages. */
  found: count,
  /** The next email campaign that begins by itself. */
  next: z.object({ id: Id, name: z.string(), at: Moment }).nullable(),
  /** Which steps to a first campaign are done, by what is there. */
  steps: z.object({ template: z.boolean(), recipients: z.boolean(), campaign: z.boolean(), sent: z.boolean() }),
})
export type Dashboard = z.infer<typeof Dashboard>

export const dashboard = {
  show: endpoint('GET /api/dashboard', 'user', {
    summary: 'Get activity of the last 30 days, the next campaigns, and the progress of the first campaign',
    response: Dashboard,
  }),
}
