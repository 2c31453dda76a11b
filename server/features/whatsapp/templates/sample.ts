import { UNSUITED_SAMPLE, type whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import type { FormReader } from '#server/platform/http/mount.ts'
import { Refusal, unknownId } from '#server/platform/http/refusal.ts'
import { metaName } from '../inbox/upload.ts'
import { needApi, needKeys } from '../numbers/keys.ts'
import { findAccount, type WhatsAppServices } from '../numbers/numbers.ts'
import { refuseFor } from './templates.ts'

/** What the sample of a header is by its content type, and which bytes (hex) stand `at` a place in it. */
const KINDS: Record<string, { format: 'image' | 'video' | 'document'; at: number; signature: string }> = {
  'image/jpeg': { format: 'image', at: 0, signature: 'ffd8ff' },
  'image/png': { format: 'image', at: 0, signature: '89504e470d0a1a0a' },
  'video/mp4': { format: 'video', at: 4, signature: '66747970' },
  'application/pdf': { format: 'document', at: 0, signature: '255044462d' },
}

/** Hands Meta the sample of a template's media header. Throws Refusal 400, 413, 415 that name `file`, and what Meta says (409). */
export async function uploadSample(
  services: WhatsAppServices,
  workspaceId: string,
  accountId: string,
  form: FormReader<typeof whatsappTemplates.upload>,
) {
  const account = await findAccount(services, workspaceId, accountId).catch(() => {
    throw unknownId('accountId')
  })
  const api = needApi(services)
  const keys = needKeys(services.config, account)
  const { file } = await form()
  const { bytes, type } = file
  const kind = KINDS[type]
  // What a browser says of a file is its name's ending; Meta looks inside.
  if (!kind || !bytes.toString('hex', kind.at, kind.at + 16).startsWith(kind.signature))
    throw new Refusal(
      415,
      'unsupported_media_type',
      `The content of the file does not match its name. ${UNSUITED_SAMPLE}`,
      {
        details: [{ field: 'file', message: 'has a type that Meta does not accept' }],
      },
    )
  const name = metaName(file.name)
  const handle = await api
    .uploadSample(keys, { bytes, mimeType: type, name })
    .catch((error: unknown) => refuseFor(services, account, error))
  return { handle, format: kind.format, fileName: name, size: bytes.length }
}
