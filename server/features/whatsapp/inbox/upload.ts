import type { FormFile } from '#contracts/form-file.ts'
import { needApi, needKeys } from '../numbers/keys.ts'
import { findAccount, type WhatsAppServices } from '../numbers/numbers.ts'
import { refuseFor } from '../templates/templates.ts'

/** What WhatsApp calls a file of a content type. */
function toMediaKind(type: string): 'image' | 'video' | 'audio' | 'document' {
  const [group] = type.split('/')
  return group === 'image' || group === 'video' || group === 'audio' ? group : 'document'
}

/** The name of a file in characters Meta takes. */
export const metaName = (name: string) => name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_') || 'file'

/** Hands a file to Meta, so that a reply can name it. Throws Refusal 400, 413, 415. */
export async function uploadMedia(
  services: WhatsAppServices,
  workspaceId: string,
  accountId: string,
  form: () => Promise<{ file: FormFile }>,
) {
  const account = await findAccount(services, workspaceId, accountId)
  const { file } = await form()
  const name = metaName(file.name)
  const mediaId = await needApi(services)
    .upload(needKeys(services.config, account), account.phoneNumberId, { bytes: file.bytes, mimeType: file.type, name })
    .catch((error: unknown) => refuseFor(services, account, error))
  return { mediaId, kind: toMediaKind(file.type), fileName: name, size: file.bytes.length }
}
