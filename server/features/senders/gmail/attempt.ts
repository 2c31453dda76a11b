import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '#server/platform/config.ts'
import { decrypt, encrypt } from '#server/platform/crypto.ts'

/** Minutes someone has at Google's pages. */
const MINUTES = 10
const CONTEXT = 'connecting Gmail'

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  workspaceId: z.string(),
  userId: z.string(),
  /** The account to be connected again; null: any. */
  senderId: z.string().nullable(),
})
const Sealed = Attempt.extend({ until: z.number() })
/** What one connection has to bring back: kept by the browser, sealed, so that nobody's consent lands in another's workspace. */
export type ConnectAttempt = z.infer<typeof Attempt>

type Settings = Pick<Config, 'secretKey' | 'publicUrl'>

const isSecure = ({ publicUrl }: Settings) => publicUrl.startsWith('https:')
const nameOf = (settings: Settings) => `${isSecure(settings) ? '__Host-' : ''}gmail_connect`

function setCookie(reply: FastifyReply, settings: Settings, value: string, seconds: number): void {
  const secure = isSecure(settings) ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${nameOf(settings)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`,
  )
}

/** Gives the browser what it has to bring back, sealed with SECRET_KEY, for ten minutes. */
export function keepConnectAttempt(reply: FastifyReply, settings: Settings, attempt: ConnectAttempt): void {
  const text = JSON.stringify({ ...attempt, until: Date.now() + MINUTES * 60_000 })
  setCookie(reply, settings, encrypt(settings.secretKey, text, CONTEXT), MINUTES * 60)
}

/** Takes it back, and away from the browser. undefined: none, too late, or not ours. */
export function takeConnectAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
): ConnectAttempt | undefined {
  setCookie(reply, settings, '', 0)
  const cookies = (request.headers.cookie ?? '').split(';').map((part) => part.trim())
  const found = cookies.find((part) => part.startsWith(`${nameOf(settings)}=`))
  if (!found) return undefined
  try {
    const sealed = found.slice(found.indexOf('=') + 1)
    const { until, ...attempt } = Sealed.parse(JSON.parse(decrypt(settings.secretKey, sealed, CONTEXT)))
    return until > Date.now() ? attempt : undefined
  } catch {
    return undefined
  }
}
