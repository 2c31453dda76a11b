import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const system = {
  info: endpoint('GET /api/system', 'public', {
    summary: 'What the pages need to know of this installation',
    answer: z.object({
      sandbox: z.boolean(),
      /** Whether one can sign in with Google here. */
      google: z.boolean(),
      publicUrl: z.string(),
      version: z.string(),
    }),
  }),
}
