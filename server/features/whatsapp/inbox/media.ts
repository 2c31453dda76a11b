import { notFound, Refusal } from '#server/platform/http/refusal.ts'
import { needApi, needKeys } from '../numbers/keys.ts'
import { findAccount, type WhatsAppServices } from '../numbers/numbers.ts'
import { findConversation } from './conversations.ts'
import * as store from './store.ts'

const MEDIA_BYTES = 100 * 1024 * 1024

/** The file of a message, from Meta, which keeps it for 30 days. */
export async function fetchMedia(services: WhatsAppServices, workspaceId: string, id: string, messageId: string) {
  const row = await findConversation(services, workspaceId, id)
  const message = await store.messageById(services.db, workspaceId, id, messageId)
  const media = message?.content.media
  if (!message || !media?.id) throw notFound('File')
  const account = await findAccount(services, workspaceId, row.accountId)
  const file = await needApi(services)
    .download(needKeys(services.config, account), media.id, MEDIA_BYTES)
    .catch(() => {
      throw new Refusal(404, 'gone', 'WhatsApp no longer has this file. It stores files for 30 days.')
    })
  return { ...file, fileName: media.fileName || `${message.kind}-${messageId}` }
}
