import { createHash, randomBytes } from 'node:crypto'
import { badParameter, GraphError, notLoadable } from './graph-error.ts'
import type { Business } from './state.ts'

interface Session {
  business: string
  type: string
  length: number
  sig: string
}

/** The app a business's token was made for. */
export const toAppId = (business: Pick<Business, 'id'>) => `9${business.id}`

/** GET /debug_token: what a token is. */
export function debugToken(business: Business | undefined) {
  if (!business)
    return {
      data: { error: { code: 190, message: 'Invalid OAuth access token.' }, is_valid: false, scopes: [] },
    }
  return {
    data: {
      app_id: toAppId(business),
      type: 'SYSTEM_USER',
      application: business.name,
      expires_at: 0,
      is_valid: true,
      scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
    },
  }
}

const LIMITS: Record<string, { format: string; bytes: number }> = {
  'image/jpeg': { format: 'IMAGE', bytes: 5 * 1024 * 1024 },
  'image/jpg': { format: 'IMAGE', bytes: 5 * 1024 * 1024 },
  'image/png': { format: 'IMAGE', bytes: 5 * 1024 * 1024 },
  'video/mp4': { format: 'VIDEO', bytes: 16 * 1024 * 1024 },
  'application/pdf': { format: 'DOCUMENT', bytes: 100 * 1024 * 1024 },
}

/** An error of the upload host, which differs from a Graph error. */
const uploadError = (type: string, message: string) => {
  const error = new GraphError(400, 100, message)
  error.body = { debug_info: { retriable: false, type, message } } as never
  return error
}

/** Meta's resumable upload, as far as the samples of template headers need it. Sessions and handles live as long as the process. */
export class Uploads {
  readonly #sessions = new Map<string, Session>()
  readonly #handles = new Map<string, { business: string; format: string }>()

  /** POST /{APP_ID}/uploads: opens a session. */
  open(business: Business, appId: string, query: URLSearchParams): { id: string } {
    if (appId !== toAppId(business)) throw notLoadable(appId)
    const type = query.get('file_type') ?? ''
    const length = Number(query.get('file_length'))
    if (!Number.isSafeInteger(length) || length <= 0) throw badParameter('file_length is required')
    const known = LIMITS[type]
    if (!known) throw badParameter(`file_type ${type} is not supported`)
    if (length > known.bytes) throw badParameter('The file is too large')
    const id = randomBytes(24).toString('base64url')
    const sig = randomBytes(12).toString('base64url')
    this.#sessions.set(id, { business: business.id, type, length, sig })
    return { id: `upload:${id}?sig=${sig}` }
  }

  /** POST /upload:{SESSION}: takes all bytes from offset 0 on; returns the handle. */
  take(business: Business, id: string, given: { sig: string | null; scheme: string; offset: unknown }, bytes: Buffer) {
    const session = this.#sessions.get(id)
    if (!session || session.business !== business.id || session.sig !== given.sig)
      throw uploadError('NotAuthorizedError', 'The upload session does not exist or is not yours')
    if (given.scheme.toLowerCase() !== 'oauth')
      throw uploadError('NotAuthorizedError', 'Authentication failed: OAuth is expected')
    if (given.offset !== '0') throw uploadError('OffsetInvalidError', 'Request starting offset is invalid')
    if (bytes.length !== session.length)
      throw uploadError('PartialRequestError', 'Partial request (did not match length of file)')
    this.#sessions.delete(id)
    const digest = createHash('sha256').update(bytes).digest('base64url')
    const h = `4::${Buffer.from(session.type).toString('base64url')}:${digest}:e:${Date.now()}:${business.id}`
    this.#handles.set(h, { business: business.id, format: LIMITS[session.type]?.format ?? '' })
    return { h }
  }

  /** Whether a handle is this business's, of a file of this format. */
  holds(business: Business, handle: unknown, format: string): boolean {
    const known = this.#handles.get(String(handle))
    return known?.business === business.id && known.format === format
  }
}
