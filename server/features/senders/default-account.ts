import type { Services } from '#server/services.ts'
import { sendingAccount } from './connection.ts'
import { isFromAllowed, unconfirmedText } from './from-address.ts'
import type { SenderServices, SendingAccount } from './sender-kind.ts'
import { senderPage } from './store.ts'

/** Senders looked at: the oldest ones. */
const MAX_SENDERS = 20

/**
 * The sender of what a workspace sends beside campaigns: its default sender, or where that is not set up the oldest other
 * mail server. `problem`: why there is none, in a sentence for people.
 */
export async function findDefaultAccount(
  services: SenderServices & Pick<Services, 'db'>,
  workspaceId: string,
): Promise<{ account: SendingAccount } | { problem: string }> {
  let problem = 'There is no sender that can send. Set one up under Senders.'
  for (const row of await senderPage(services.db, workspaceId, { limit: MAX_SENDERS })) {
    if (row.kind !== 'smtp') continue
    const account = await sendingAccount(services, services.db, workspaceId, row.id)
    if (!account) continue
    if (await isFromAllowed(services, { ...account, workspaceId })) return { account }
    problem = unconfirmedText(account.fromEmail)
  }
  return { problem }
}
