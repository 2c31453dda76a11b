import type { FastifyInstance } from 'fastify'
import { gmail } from '#contracts/gmail/gmail.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { connectCookie } from './attempt.ts'
import { beginConnect, ConnectRefused, finishConnect } from './connect.ts'
import * as setup from './setup.ts'

const PAGE = '/gmail-sender/accounts'

/** Connecting Gmail accounts: the client, to Google's consent page, and back to the page that asked. */
export function mountAccounts(app: FastifyInstance, services: Services): void {
  const { config, log } = services
  mount(app, gmail.setup, ({ caller }) => setup.showSetup(services, caller.workspaceId))
  mount(app, gmail.saveClient, ({ caller, body }) => setup.saveClient(services, caller.workspaceId, body))
  mount(app, gmail.removeClient, async ({ caller }) => {
    await setup.removeClient(services, caller.workspaceId)
    return {}
  })
  mount(app, gmail.connect, async ({ caller, body, reply }) => {
    const { url, attempt } = await beginConnect(services, caller, body)
    connectCookie.give(reply, config, attempt)
    return { url }
  })
  mount(app, gmail.callback, async ({ request, reply }) => {
    const attempt = connectCookie.take(request, reply, config)
    const back = (query: Record<string, string>) =>
      reply
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .redirect(`${config.publicUrl}${PAGE}?${new URLSearchParams(query)}`, 302)
    try {
      const { state } = request.query as { state?: unknown }
      const { search } = new URL(request.url, config.publicUrl)
      return back({ connected: await finishConnect(services, attempt, state, search) })
    } catch (error) {
      const code = error instanceof ConnectRefused ? error.code : 'failed'
      log.warn({ code, reason: (error as Error).message }, 'connecting Gmail failed')
      return back({ error: code })
    }
  })
}
