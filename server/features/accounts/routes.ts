import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accounts } from '#contracts/accounts/accounts.ts'
import { audit } from '#server/platform/audit.ts'
import { mount } from '#server/platform/http/mount.ts'
import { wholeList } from '#server/platform/http/page.ts'
import { notFound, Refusal, unauthorized } from '#server/platform/http/refusal.ts'
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
  mount(app, accounts.login, async ({ body, request, reply }) => {
    try {
      return { token: await rules.logIn(services, body, { address: request.ip, userAgent: readUserAgent(request) }) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.retryAfter) reply.header('retry-after', String(error.retryAfter))
      return reply.code(error.status).type('text/plain; charset=utf-8').send(error.message) as never
    }
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
