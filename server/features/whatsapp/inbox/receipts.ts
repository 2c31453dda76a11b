import { WhatsAppProblem } from '#server/adapters/whatsapp/problem.ts'
import { openKeys } from '../numbers/keys.ts'
import { findAccount, type WhatsAppServices } from '../numbers/numbers.ts'

/** Shows the person that their message was read. A courtesy: where it does not work nothing else is lost. */
export async function sendReceipt(
  services: WhatsAppServices,
  workspaceId: string,
  conversationId: string,
): Promise<void> {
  const last = await services.db
    .selectFrom('whatsappMessages')
    .where('workspaceId', '=', workspaceId)
    .where('conversationId', '=', conversationId)
    .where('direction', '=', 'in')
    .orderBy('at', 'desc')
    .select(['wamid', 'accountId'])
    .limit(1)
    .executeTakeFirst()
  if (!last?.wamid || !services.whatsapp) return
  const account = await findAccount(services, workspaceId, last.accountId)
  const keys = openKeys(services.config, account)
  if (!keys || account.state === 'reconnect') return
  try {
    await services.whatsapp.markRead(keys, account.phoneNumberId, last.wamid)
  } catch (error) {
    if (!(error instanceof WhatsAppProblem)) throw error
    services.log.debug({ conversationId, code: error.code }, 'a read receipt was not taken')
  }
}
