import type { FastifyRequest } from 'fastify'
import { invalid, Refusal } from '#server/platform/http/refusal.ts'
import { type Context, findAccount } from '../accounts/accounts.ts'
import { needApi, needKeys } from '../accounts/keys.ts'
import { readFile } from '../inbox/upload.ts'
import { refuseFor } from './templates.ts'

const MB = 1024 * 1024

/** What Meta takes as the sample of a header, how large it may be, and which bytes (hex) stand `at` a place in it. */
const KINDS = {
  'image/jpeg': { format: 'image', limit: 5 * MB, at: 0, signature: 'ffd8ff' },
  'image/png': { format: 'image', limit: 5 * MB, at: 0, signature: '89504e470d0a1a0a' },
  'video/mp4': { format: 'video', limit: 16 * MB, at: 4, signature: '66747970' },
  'application/pdf': { format: 'document', limit: 100 * MB, at: 0, signature: '255044462d' },
} as const

const UNSUITED = 'A header takes a picture (JPEG, PNG), a film (MP4) or a document (PDF).'

/** 415 that names the file. */
const unsuited = (message: string) =>
  new Refusal(415, 'unsupported_media_type', message, {
    details: [{ field: 'file', message: 'is of no kind Meta takes' }],
  })

/** Hands Meta the sample of a template's media header. Throws Refusal 400, 413, 415 that name `file`, and what Meta says (409). */
export async function uploadSample(services: Context, workspaceId: string, accountId: string, request: FastifyRequest) {
  const account = await findAccount(services, workspaceId, accountId).catch(() => {
    throw invalid('accountId', 'does not name something of yours')
  })
  const api = needApi(services)
  const keys = needKeys(services.config, account)
  const { bytes, mimeType, name } = await readFile(request, (type) => {
    const kind = Object.entries(KINDS).find(([one]) => one === type)?.[1]
    if (!kind) throw unsuited(UNSUITED)
    return kind.limit
  })
  const kind = KINDS[mimeType as keyof typeof KINDS]
  // What a browser says of a file is its name's ending; Meta looks inside.
  if (!bytes.toString('hex', kind.at, kind.at + 16).startsWith(kind.signature))
    throw unsuited(`The file is not what its name says. ${UNSUITED}`)
  const handle = await api
    .uploadSample(keys, { bytes, mimeType, name })
    .catch((error: unknown) => refuseFor(services, account, error))
  return { handle, format: kind.format, fileName: name, size: bytes.length }
}
