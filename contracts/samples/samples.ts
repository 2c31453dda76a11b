import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id } from '#contracts/values.ts'

/** What the sample data of a workspace is. An id is null where that part was deleted or became the user's. */
export const SampleData = z.object({
  isPresent: z.boolean(),
  campaignId: Id.nullable(),
  listId: Id.nullable(),
  templateId: Id.nullable(),
})
export type SampleData = z.infer<typeof SampleData>

export const sampleData = {
  get: endpoint('GET /api/sample-data', 'user', {
    summary: 'Get whether the workspace has sample data, and what it is',
    response: SampleData,
  }),
  add: endpoint('POST /api/sample-data', 'user', {
    refusals: [409],
    summary:
      'Add sample data: a list with contacts, a template and a sent campaign with its report. It is counted nowhere and never sent to. A conflict where there is some',
    status: 201,
    gives: { under: ['/api/campaigns'], pointer: '/campaignId' },
    response: SampleData,
  }),
  remove: endpoint('DELETE /api/sample-data', 'user', {
    refusals: [404],
    summary:
      'Remove the sample data. A list that was renamed or has other contacts, and a template that was edited or is used, stay',
    response: Empty,
  }),
}
