import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { accounts } from '#contracts/accounts/accounts.ts'
import { audit } from '#server/platform/audit.ts'
import { asRefusal } from '#server/platform/http/errors.ts'
import { mount } from '#server/platform/http/mount.ts'
import { wholeList } from '#server/platform/http/page.ts'
import { notFound, unauthorized } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { mountOwnAccount } from './account-routes.ts'
import * as rules from './accounts.ts'
import { mountGoogle } from './google/google-routes.ts'
import { describeDevice } from './sign-in/device.ts'
import { callerFinder } from './sign-in/sessions.ts'
import * as store from './store.ts'

const readUserAgent = (request: FastifyRequest) => request.headers['user-agent'] ?? ''

export function mountAccounts(app: FastifyInstance, services: Services): void {
  mountGoogle(app, services)
  const { db } = services
  const presentById = async (userId: string) => {
    const row = await store.userById(db, userId)
    if (!row) throw unauthorized()
    return rules.presentUser(row)
  }

  mount(app, accounts.signup, async ({ body }) => {
    await rules.signUp(services, body)
    return { message: 'Check your inbox: we sent you a link to confirm your email address.' }
  })
  mount(app, accounts.verifyEmail, async ({ body, request }) => ({
    token: await rules.verifyEmail(services, body, readUserAgent(request)),
  }))
  mount(app, accounts.checkVerification, ({ body }) => rules.checkVerification(services, body.token))
  mount(app, accounts.resendVerification, async ({ body }) => {
    await rules.resendVerification(services, body.email)
    return { message: 'If there is an account to confirm, a new email is on its way.' }
  })
  app.register(async (scope) => {
    // Its failures are texts, those of a body that cannot be read included.
    scope.setErrorHandler((error: FastifyError, _request, reply) => {
      const refusal = asRefusal(error)
      if (!refusal) throw error
      if (refusal.retryAfter) reply.header('retry-after', String(refusal.retryAfter))
      const fields = refusal.details?.map(({ field }) => field).join(', ')
      const text = fields ? `${refusal.message} Fields: ${fields}.` : refusal.message
      return reply.code(refusal.status).type('text/plain; charset=utf-8').send(text)
    })
    mount(scope, accounts.login, async ({ body, request }) => ({
      token: await rules.logIn(services, body, { address: request.ip, userAgent: readUserAgent(request) }),
    }))
  })
  mount(app, accounts.logout, async ({ caller }) => {
    if (caller) await store.deleteSessions(db, caller.userId, { id: caller.sessionId })
    return { message: 'You are logged out.' }
  })
  mount(app, accounts.forgotPassword, async ({ body }) => {
    await rules.forgotPassword(services, body.email)
    return { message: 'If there is an account with this address, an email with a link is on its way.' }
  })
  mount(app, accounts.resetPassword, async ({ body }) => {
    await rules.resetPassword(services, body.token, body.newPassword)
    return { message: 'Your password has been changed. Log in with the new one.' }
  })
  mount(app, accounts.verifyToken, async ({ body }) => {
    const caller = await callerFinder(db, services.config)(body.token)
    if (!caller) throw unauthorized()
    return { user: await presentById(caller.userId) }
  })
  mount(app, accounts.user, ({ caller }) => presentById(caller.userId))
  mount(app, accounts.update, async ({ caller, body }) => {
    await rules.updateProfile(services, caller, body)
    return presentById(caller.userId)
  })
  mount(app, accounts.changePassword, async ({ caller, body, request }) => ({
    token: await rules.changePassword(services, caller.userId, body, readUserAgent(request)),
  }))
  mount(app, accounts.sessions, async ({ caller }) => {
    const rows = await store.listSessions(db, caller.userId)
    return wholeList(
      rows.map((row) => ({
        id: row.id,
        createdAt: row.createdAt.toISOString(),
        lastSeenAt: row.lastSeenAt.toISOString(),
        userAgent: row.userAgent,
        device: describeDevice(row.userAgent),
        current: row.id === caller.sessionId,
      })),
    )
  })
  mount(app, accounts.endSession, async ({ caller, params }) => {
    await db.transaction().execute(async (db) => {
      if ((await store.deleteSessions(db, caller.userId, { id: params.id })) === 0) throw notFound('Session')
      await audit(db, { action: 'session_ended' })
    })
    return {}
  })
  mountOwnAccount(app, services)
}
