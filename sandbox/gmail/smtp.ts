import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { GmailApi } from './api.ts'

const MESSAGE_BYTES = 25 * 1024 * 1024

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

/** Starts what stands in for smtp.gmail.com on 127.0.0.1: app passwords, the day's limit, and mail that stands in the account's mailbox afterwards. */
export async function startGmailSmtp(api: GmailApi, port: number): Promise<{ port: number; stop(): Promise<void> }> {
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: MESSAGE_BYTES,
    onAuth({ username, password }, _session, done) {
      const isOne = username?.includes('@') && api.account(username).takes(password ?? '')
      if (isOne) return done(null, { user: username })
      done(refusal(535, '5.7.8 Username and Password not accepted. For more information, go to BadCredentials'))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const account = api.account(String(session.user ?? ''))
        const limit = account.refusal()
        if (limit?.kind === 'day') return done(refusal(550, '5.4.5 Daily user sending limit exceeded.'))
        const to = session.envelope.rcptTo.map(({ address }) => address)
        const mark = String(session.hostNameAppearsAs ?? '')
        api.submit(account, { raw: Buffer.concat(chunks), to, mark }).then(() => done(null), done)
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const { port: taken } = server.server.address() as AddressInfo
  return {
    port: taken,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const connection of server.connections) connection.close()
      }),
  }
}
