import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Attempt } from '#server/adapters/google/sign-in.ts'
import type { Config } from '#server/platform/config.ts'
import { decrypt, encrypt } from '#server/platform/crypto.ts'

/** Minutes someone has at the issuer's pages. */
const MINUTES = 10
const CONTEXT = 'sign-in with Google'

const Sealed = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), until: z.number() })

type Settings = Pick<Config, 'secretKey' | 'publicUrl'>

const isSecure = ({ publicUrl }: Settings) => publicUrl.startsWith('https:')
// With the prefix no other host of the domain, and no page without TLS, can plant one.
const nameOf = (settings: Settings) => `${isSecure(settings) ? '__Host-' : ''}google_sign_in`

function setCookie(reply: FastifyReply, settings: Settings, value: string, seconds: number): void {
  const secure = isSecure(settings) ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${nameOf(settings)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`,
  )
}

/** Gives the browser what it has to bring back, sealed with SECRET_KEY, for ten minutes. */
export function keepAttempt(reply: FastifyReply, settings: Settings, attempt: Attempt): void {
  const text = JSON.stringify({ ...attempt, until: Date.now() + MINUTES * 60_000 })
  setCookie(reply, settings, encrypt(settings.secretKey, text, CONTEXT), MINUTES * 60)
}

/** Takes it back, and away from the browser. undefined: none, too late, or not ours. */
export function takeAttempt(request: FastifyRequest, reply: FastifyReply, settings: Settings): Attempt | undefined {
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
