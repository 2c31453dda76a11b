import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Agent, FormData, request } from 'undici'
import { parseJson, problemOfWire, readProblem, WhatsAppProblem } from './problem.ts'

/** Who calls: the token, and the secret of its app, which proves that the token is not a stolen one; empty: without proof. */
export interface WhatsAppKeys {
  accessToken: string
  appSecret: string
}

/** The bytes of a file, all of them at once: what a resumable upload takes from offset 0 on. */
export class Chunk {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** What Meta responds with. */
export type Json = Record<string, unknown>
/** A value as text; empty where it is neither text nor a number. */
export const toText = (value: unknown) =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** A call to Meta with a path, a query and a body. Throws WhatsAppProblem. */
export type Call = (
  keys: WhatsAppKeys,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  query?: Record<string, string>,
  body?: object,
) => Promise<Json>

const computeAppSecretProof = ({ accessToken, appSecret }: WhatsAppKeys) =>
  createHmac('sha256', appSecret).update(accessToken).digest('hex')

/** One call to Meta: the object of its JSON response, or a WhatsAppProblem. */
export const callWith =
  (agent: Agent, baseUrl: string): Call =>
  async (
    keys: WhatsAppKeys,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    query: Record<string, string> = {},
    body?: object,
  ) => {
    const search = new URLSearchParams({
      ...query,
      ...(keys.appSecret && { appsecret_proof: computeAppSecretProof(keys) }),
    })
    const isForm = body instanceof FormData
    const isChunk = body instanceof Chunk
    let status: number
    let text: string
    try {
      const response = await request(`${baseUrl}/${path}?${search}`, {
        method,
        dispatcher: agent,
        headers: {
          // Of the resumable upload alone Meta wants the older word.
          authorization: `${isChunk ? 'OAuth' : 'Bearer'} ${keys.accessToken}`,
          ...(isChunk && { file_offset: '0', 'content-type': 'application/octet-stream' }),
          ...(body && !isForm && !isChunk && { 'content-type': 'application/json' }),
        },
        ...(body && { body: isForm ? body : isChunk ? body.bytes : JSON.stringify(body) }),
      })
      status = response.statusCode
      text = await response.body.text()
    } catch (error) {
      throw problemOfWire(error)
    }
    if (status !== 200) throw readProblem(status, text)
    try {
      const value = parseJson(text)
      if (typeof value === 'object' && value !== null) return value as Json
    } catch {
      // Said below.
    }
    throw new WhatsAppProblem('lost', 'WhatsApp responded with something that is not JSON.', { status })
  }

/** Where Meta keeps files. The token goes nowhere else, whatever an answer says. */
const MEDIA_HOSTS = /(^|\.)(fbsbx\.com|facebook\.com|whatsapp\.net|fbcdn\.net)$/

async function* upTo(limit: number, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw new WhatsAppProblem('refused', 'The file is too large.')
    yield chunk
  }
}

/** A received file from where Meta keeps it. Throws WhatsAppProblem. */
export async function fetchMedia(
  agent: Agent,
  baseUrl: string,
  keys: WhatsAppKeys,
  url: string,
  mimeType: string,
  limit: number,
) {
  const address = URL.parse(url)
  const isMeta = address?.protocol === 'https:' && MEDIA_HOSTS.test(address.hostname)
  if (!address || (!isMeta && address.origin !== new URL(baseUrl).origin))
    throw new WhatsAppProblem('refused', 'WhatsApp returned a URL for this file on another domain.')
  try {
    const response = await request(address, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${keys.accessToken}` },
    })
    if (response.statusCode !== 200)
      throw readProblem(response.statusCode, (await response.body.text()).slice(0, 2_000))
    return {
      body: Readable.from(upTo(limit, response.body)),
      mimeType: mimeType || toText(response.headers['content-type']),
    }
  } catch (error) {
    throw error instanceof WhatsAppProblem ? error : problemOfWire(error)
  }
}
