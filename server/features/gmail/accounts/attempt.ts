import { z } from 'zod'
import { sealedCookie } from '#server/platform/http/sealed-cookie.ts'

/** Minutes someone has at Google's pages. */
const MINUTES = 10

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  workspaceId: z.string(),
  userId: z.string(),
  /** The account to be connected again; null: any. */
  senderId: z.string().nullable(),
})
/** What one connection has to bring back: so that nobody's consent lands in another's workspace. */
export type ConnectAttempt = z.infer<typeof Attempt>

/** The cookie of a connection, for ten minutes. */
export const connectCookie = sealedCookie('gmail_connect', 'connecting Gmail', MINUTES, Attempt)
