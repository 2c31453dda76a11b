import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'

export const system = {
  info: endpoint('GET /api/system', 'public', {
    summary: 'Get the settings of this installation that pages need',
    response: z.object({
      sandbox: z.boolean(),
      /** Whether one can sign in with Google here. */
      google: z.boolean(),
      publicUrl: z.string(),
      version: z.string(),
    }),
  }),
}
