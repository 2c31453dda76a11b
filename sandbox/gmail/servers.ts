import type { GmailApi, MailPorts } from './api.ts'
import { startImap } from './imap/server.ts'
import { startGmailSmtp } from './smtp.ts'

/** Starts both over the mailboxes of the emulator for Gmail's API: one account is the same by every way. */
export async function startMailServers(api: GmailApi): Promise<{ ports: MailPorts; stop(): Promise<void> }> {
  const imap = await startImap((email) => api.account(email), 0)
  const smtp = await startGmailSmtp(api, 0)
  return {
    ports: { imap: imap.port, smtp: smtp.port },
    async stop() {
      await Promise.all([imap.stop(), smtp.stop()])
    },
  }
}
