import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { invalid, Refusal } from '#server/platform/http/refusal.ts'
import { type Context, findAccount } from '../accounts/accounts.ts'
import { needApi, needKeys } from '../accounts/keys.ts'
import { refuseFor } from '../templates/templates.ts'

const MB = 1024 * 1024
type Kind = 'image' | 'video' | 'audio' | 'document'

/** What Meta takes, by type, and how large it may be. */
const TYPES: Record<string, { kind: Kind; limit: number }> = {
  ...Object.fromEntries(['image/jpeg', 'image/png'].map((type) => [type, { kind: 'image' as const, limit: 5 * MB }])),
  ...Object.fromEntries(['video/mp4', 'video/3gpp'].map((type) => [type, { kind: 'video' as const, limit: 16 * MB }])),
  ...Object.fromEntries(
    ['audio/aac', 'audio/mp4', 'audio/mpeg', 'audio/amr', 'audio/ogg'].map((type) => [
      type,
      { kind: 'audio' as const, limit: 16 * MB },
    ]),
  ),
  ...Object.fromEntries(
    [
      'application/pdf',
      'text/plain',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ].map((type) => [type, { kind: 'document' as const, limit: 100 * MB }]),
  ),
}

async function bytesOf(file: MultipartFile, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of file.file as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) {
      file.file.resume()
      throw new Refusal(
        413,
        'too_large',
        `The file is larger than WhatsApp takes: ${limit / MB} MB at most for this kind. Nothing was sent.`,
        { details: [{ field: 'file', message: `has at most ${limit / MB} MB` }] },
      )
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * The file of a form, its type in small letters without parameters, and a name Meta takes. `limitOf` says how large a type
 * may be, or throws. Throws Refusal 400, 413.
 */
export async function readFile(request: FastifyRequest, limitOf: (mimeType: string) => number) {
  const file = await request.file()
  if (!file) throw invalid('file', 'is required')
  const mimeType = file.mimetype.toLowerCase().split(';')[0]?.trim() ?? ''
  let limit: number
  try {
    limit = limitOf(mimeType)
  } catch (error) {
    file.file.resume()
    throw error
  }
  const bytes = await bytesOf(file, limit)
  if (bytes.length === 0) throw invalid('file', 'is empty')
  const name = file.filename.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').slice(0, 240) || 'file'
  return { bytes, mimeType, name }
}

/** Hands a file to Meta, so that a reply can name it. Throws Refusal 400, 413, 415. */
export async function uploadMedia(services: Context, workspaceId: string, accountId: string, request: FastifyRequest) {
  const account = await findAccount(services, workspaceId, accountId)
  const file = await readFile(request, (type) => {
    const known = TYPES[type]
    if (known) return known.limit
    throw new Refusal(
      415,
      'unsupported_media_type',
      'WhatsApp takes pictures (JPEG, PNG), films (MP4), sound (MP3, AAC, OGG) and documents (PDF, Office, text).',
      { details: [{ field: 'file', message: 'is of no kind WhatsApp takes' }] },
    )
  })
  const mediaId = await needApi(services)
    .upload(needKeys(services.config, account), account.phoneNumberId, file)
    .catch((error: unknown) => refuseFor(services, account, error))
  return {
    mediaId,
    kind: TYPES[file.mimeType]?.kind ?? 'document',
    fileName: file.name,
    size: file.bytes.length,
  }
}
