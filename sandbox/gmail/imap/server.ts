import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Account } from '../accounts.ts'
import { ImapSession } from './session.ts'

const MAX_CONNECTIONS = 200
const IDLE_MS = 5 * 60_000

/** Starts what stands in for imap.gmail.com on 127.0.0.1, over the mailboxes of the emulator for Gmail. `port` 0 takes any free one. */
export async function startImap(
  findAccount: (email: string) => Account,
  port: number,
): Promise<{ port: number; stop(): Promise<void> }> {
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    if (open.size >= MAX_CONNECTIONS) return void socket.end('* BYE Too many connections\r\n')
    open.add(socket)
    let session: ImapSession | undefined
    session = new ImapSession({
      signIn: (user, password) => signIn(findAccount, user, password),
      write(text) {
        if (session?.account) session.account.imap.bytes += text.length
        if (socket.writable) socket.write(text, 'latin1')
      },
      end: () => socket.end(),
      cut: () => socket.destroy(),
    })
    socket.setTimeout(IDLE_MS, () => socket.destroy())
    socket.on('data', (chunk) => session?.feed(chunk))
    socket.on('close', () => {
      open.delete(socket)
      if (session?.account) session.account.imap.open--
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.on('error', () => undefined)
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** Google's answers to a sign-in, word for word. */
function signIn(findAccount: (email: string) => Account, user: string, password: string): Account | string {
  if (!user.includes('@')) return '[AUTHENTICATIONFAILED] Invalid credentials (Failure)'
  const account = findAccount(user)
  account.imap.tries++
  if (!account.takes(password)) return '[AUTHENTICATIONFAILED] Invalid credentials (Failure)'
  if (account.imap.trouble === 'off')
    return '[ALERT] Your account is not enabled for IMAP use. Please visit your Gmail settings page and enable your account for IMAP access. (Failure)'
  if (account.imap.trouble === 'busy') return '[ALERT] Too many simultaneous connections. (Failure)'
  account.imap.open++
  account.imap.most = Math.max(account.imap.most, account.imap.open)
  return account
}
