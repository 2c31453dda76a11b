import { senders } from '#contracts/senders/senders.ts'
import { testApp } from '#server/testing/app.ts'
import { startMailServers } from '#server/testing/mail-servers.ts'

/** The product beside mail servers of every temper, with a person who may name them although they are on this machine. */
export async function appWithMailServers() {
  const m = await startMailServers()
  const t = await testApp({
    environment: { COLLECTOR_ALLOW_PRIVATE: m.allowPrivate, MAIL_FROM: 'Postlark <hello@postlark.example>' },
  })
  const ada = await t.person({ name: 'Ada' })
  const server = (port: number, more: object = {}) => ({
    host: '127.0.0.1',
    port,
    secure: 'none' as const,
    user: 'ada',
    password: 'right',
    fromEmail: 'ada@example.com',
    ...more,
  })
  return {
    m,
    t,
    ada,
    /** The body of a sender on this machine. */
    server,
    add: (port: number, more: object = {}) => ada.api(senders.create, { body: server(port, more) }),
    async stop() {
      await t[Symbol.asyncDispose]()
      await m.stop()
    },
  }
}
