import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accounts } from '#contracts/accounts/accounts.ts'
import { GoogleProblem, type GoogleSignIn, newAttempt } from '#server/adapters/google/sign-in.ts'
import { audit } from '#server/platform/audit.ts'
import { hashToken, isSame } from '#server/platform/crypto.ts'
import { mount } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { auditFailedLogin } from '../sign-in/failed-login.ts'
import { startSession } from '../sign-in/sessions.ts'
import { findOrCreateUser, SignInRefused } from './google.ts'
import { signInCookie } from './google-attempt.ts'

/** Marks the address after it was led to PUBLIC_URL once, so that a proxy which changes the host leads in no circle. */
const HERE = 'here'

/** Signing in with Google: to the issuer, and back to the callback screen with a token or the code of what went wrong. */
export function mountGoogle(app: FastifyInstance, services: Services): void {
  const { config, log } = services

  const callbackScreen = (reply: FastifyReply, query: { token: string } | { error: string }) =>
    redirect(reply, `${config.publicUrl}/oauth2/redirect?${new URLSearchParams(query)}`)

  const refuse = (reply: FastifyReply, error: unknown) => {
    const refused = error instanceof SignInRefused ? error : undefined
    log.warn({ code: refused?.code, reason: (error as Error).message }, 'a sign-in with Google failed')
    return callbackScreen(reply, { error: refused?.code ?? 'google_auth_failed' })
  }

  mount(app, accounts.google, async ({ request, reply }) => {
    const google = configured(services)
    const { here } = request.query as { here?: unknown }
    // The cookie is set where the issuer leads back to, whatever name this machine was called by.
    if (here === undefined && request.host !== new URL(config.publicUrl).host)
      return redirect(reply, `${config.publicUrl}${accounts.google.path}?${HERE}=1`)
    try {
      const attempt = newAttempt()
      const address = await google.begin(attempt)
      signInCookie.give(reply, config, attempt)
      return redirect(reply, address.href)
    } catch (error) {
      return refuse(reply, error)
    }
  })

  mount(app, accounts.googleCallback, async ({ request, reply }) => {
    const google = configured(services)
    try {
      return callbackScreen(reply, { token: await comeBack(services, google, request, reply) })
    } catch (error) {
      return refuse(reply, error)
    }
  })
}

function configured({ google }: Services): GoogleSignIn {
  if (google) return google
  throw new Refusal(
    404,
    'google_not_configured',
    'Google sign-in is not configured on this installation. Log in with your email address and password.',
  )
}

/** Redirects so that no cache stores the address and the next page does not learn it. */
function redirect(reply: FastifyReply, address: string) {
  return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(address, 302)
}

/** From the query the browser returned with to a session's token. Throws SignInRefused. */
async function comeBack(
  services: Services,
  google: GoogleSignIn,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { db, config } = services
  const attempt = signInCookie.take(request, reply, config)
  const { state } = request.query as { state?: unknown }
  if (!attempt || typeof state !== 'string' || !isSame(state, attempt.state))
    throw new SignInRefused('google_auth_failed', 'it was not begun in this browser, or too long ago')
  const first = await throttle(db, `google:${hashToken(attempt.state)}`, 1, 3_600)
  if (!first.ok) throw new SignInRefused('google_auth_failed', 'it returned twice')
  const profile = await google.finish(new URL(request.url, config.publicUrl).search, attempt).catch((error) => {
    const denied = error instanceof GoogleProblem && error.kind === 'denied'
    throw new SignInRefused(denied ? 'access_denied' : 'google_oauth_failed', (error as Error).message)
  })
  const user = await findOrCreateUser(db, profile)
  return db
    .transaction()
    .execute(async (db) => {
      await audit(db, { action: 'logged_in', actor: user, workspaceId: user.workspaceId, details: { with: 'google' } })
      return startSession(db, config, user.id, request.headers['user-agent'] ?? '')
    })
    .catch(async (error) => {
      if (!(error instanceof Refusal)) throw new SignInRefused('token_generation_failed', (error as Error).message)
      // The only refusal there is says that the account is suspended.
      await auditFailedLogin(db, user, 'suspended')
      throw new SignInRefused('authentication_failed', error.message)
    })
}
