import type { AskingPace } from '#contracts/contacts/imports.ts'
import { remainingQuota } from '#server/features/billing/index.ts'
import { findDefaultAccount, readRampAhead } from '#server/features/senders/index.ts'
import type { Services } from '#server/services.ts'
import { countToAsk } from './members-store.ts'

/** Emails of a workspace in a second at most, whatever its sender allows: nobody waits for them as for a campaign. */
const MAX_PER_SECOND = 10

/** How fast members of double opt-in lists are asked at this moment, and how many may be. */
export async function readAskingPace(services: Services, workspaceId: string): Promise<AskingPace> {
  const { db } = services
  const found = await findDefaultAccount(services, workspaceId)
  const account = 'account' in found ? found.account : undefined
  const { left, until } = await remainingQuota(db, workspaceId, 'emails')
  return {
    perSecond: Math.min(MAX_PER_SECOND, account?.perSecond ?? MAX_PER_SECOND),
    perDay: account?.perDay ?? null,
    rampUp: account ? await readRampAhead(db, workspaceId, account.id) : [],
    queued: await countToAsk(db, workspaceId),
    monthLeft: left,
    monthUntil: until,
    problem: 'problem' in found ? found.problem : null,
  }
}
