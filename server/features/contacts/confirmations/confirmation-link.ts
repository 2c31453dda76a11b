import type { Config } from '#server/platform/config.ts'
import { seal, unseal } from '#server/platform/crypto.ts'

/** How long a confirmation link works after its email was sent. Days. */
export const LINK_DAYS = 14

const PURPOSE = 'confirm a subscription'

/** What a confirmation link names: a request, and when it was made (seconds since 1970). Nobody's address is in it. */
export interface ConfirmationLink {
  workspaceId: string
  id: string
  at: number
}

type Secret = Pick<Config, 'secretKey'>

/** The token of a confirmation link, signed with HMAC-SHA256. */
export function writeLink({ secretKey }: Secret, { workspaceId, id, at }: ConfirmationLink): string {
  return seal(secretKey, PURPOSE, `${workspaceId} ${id} ${Math.floor(at)}`)
}

/** Reads a token of a confirmation link; undefined for one that is not ours. Its age is not looked at. */
export function readLink({ secretKey }: Secret, token: string): ConfirmationLink | undefined {
  const [workspaceId, id, at] = unseal(secretKey, PURPOSE, token)?.split(' ') ?? []
  return workspaceId && id && at ? { workspaceId, id, at: Number(at) } : undefined
}
