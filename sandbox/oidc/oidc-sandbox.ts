import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import { accounts } from '#contracts/accounts/accounts.ts'
import { gmail } from '#contracts/gmail/gmail.ts'
import type { Deliver, MailPorts } from '#sandbox/gmail/api.ts'
import type { ControlCall, control } from '#sandbox/gmail/control.ts'
import { startMailServers } from '#sandbox/gmail/servers.ts'
import type { GoogleSettings } from '#server/adapters/google/sign-in.ts'
import type { ReplyMailboxes } from '#server/features/sandbox/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { findOrStart, isPort, toldBy, WORKER_WAITS_MS } from '../one-per-folder.ts'
import { CONTROL_PATH, startOidcServer } from './issuer.ts'

const CLIENT_ID = 'postlark-sandbox'

/** Where the issuer of a data folder listens, for the next start and for other processes: an account is known by its issuer's address. */
interface IssuerPlace {
  port: number
  secret: string
  /** Where its mailboxes are reached over IMAP and SMTP. */
  mail?: MailPorts
}

/** The emulator for Google, running. */
export interface GoogleSandbox {
  settings: GoogleSettings
  gmailImapUrl: string | undefined
  gmailSmtpUrl: string | undefined
  replyMailboxes: ReplyMailboxes
  stop(): Promise<void>
}

/**
 * Starts the emulator for Google (sign-in, consent, Gmail), or finds the one that another process on this data folder
 * runs. What is sent through Gmail goes to `smtpUrl` to be looked at.
 */
export async function startIssuer(
  { dataDir, publicUrl, role = 'all' }: Pick<Config, 'dataDir' | 'publicUrl'> & Partial<Pick<Config, 'role'>>,
  log: Log,
  smtpUrl?: string,
): Promise<GoogleSandbox> {
  const redirectUris = [accounts.googleCallback.path, gmail.callback.path].map((path) => `${publicUrl}${path}`)
  const { place, running } = await findOrStart({
    file: join(dataDir, 'sandbox', 'oidc.json'),
    read: readPlace,
    fresh: (port): IssuerPlace => ({ port, secret: randomBytes(24).toString('base64url') }),
    responds: respondsAt,
    patience: role === 'worker' ? WORKER_WAITS_MS : 0,
    async start({ port: wanted, secret }) {
      const delivery = deliveryTo(smtpUrl, log)
      const client = { id: CLIENT_ID, secret, redirectUris }
      const { port, server, gmail } = await startOidcServer(client, wanted, delivery.deliver)
      const mail = await startMailServers(gmail)
      gmail.mailPorts = mail.ports
      const stop = async () => {
        await mail.stop()
        await new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        })
      }
      return { place: { port, secret, mail: mail.ports }, running: { stop } }
    },
  })
  const { port, secret, mail } = place
  if (running) log.info({ port, ...mail }, 'sandbox: an issuer on this machine stands in for Google')
  else log.info({ port }, 'signing in with Google goes to the sandbox of another process on this data folder')
  return {
    settings: { issuer: `http://127.0.0.1:${port}`, clientId: CLIENT_ID, clientSecret: secret },
    gmailImapUrl: mail && `imap://127.0.0.1:${mail.imap}`,
    gmailSmtpUrl: mail && `smtp://127.0.0.1:${mail.smtp}`,
    replyMailboxes: readersAt(`http://127.0.0.1:${port}${CONTROL_PATH}`, secret),
    stop: running?.stop ?? (async () => undefined),
  }
}

/** Answers to what was sent, in whichever process the mailboxes are. */
function readersAt(url: string, secret: string): ReplyMailboxes {
  const ask = async (wish: ControlCall) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'x-sandbox-key': secret },
      body: JSON.stringify(wish),
      signal: AbortSignal.timeout(5_000),
    })
    if (!response.ok) throw new Error(`the sandbox answered ${response.status}`)
    return (await response.json()) as ReturnType<typeof control>
  }
  return {
    // Where the emulator is unavailable nobody reads replies either.
    knows: (email, sent) =>
      ask({ email, sent }).then(
        ({ hasSent }) => hasSent,
        () => false,
      ),
    async take(email, raw) {
      await ask({ email, sent: '', incoming: { raw } })
    },
  }
}

/** Hands what was sent through Gmail to the sandbox's mail server, so that it can be read at /sandbox like any mail. */
function deliveryTo(smtpUrl: string | undefined, log: Log): { deliver: Deliver } {
  if (!smtpUrl) return { deliver: async () => undefined }
  return {
    async deliver({ from, to, raw, mark }) {
      try {
        // The name it says there tells whose mail it is, so a connection carries the mail of one workspace only.
        const transport = nodemailer.createTransport({ url: smtpUrl, ...(mark && { name: mark }) })
        await transport.sendMail({ envelope: { from, to }, raw })
      } catch (error) {
        const { responseCode = 0, response } = error as { responseCode?: number; response?: string }
        if (responseCode >= 500) return response
        log.warn({ err: error }, 'mail of the Gmail sandbox cannot be shown')
      }
      return undefined
    },
  }
}

function readPlace(kept: Record<string, unknown>, port: number): IssuerPlace | undefined {
  const { secret, mail } = kept as { secret?: unknown; mail?: Partial<MailPorts> }
  if (typeof secret !== 'string') return undefined
  const { imap, smtp } = mail ?? {}
  return { port, secret, ...(isPort(imap) && isPort(smtp) && { mail: { imap, smtp } }) }
}

/** The one that runs tells the ports of its mailboxes too: the file names them only once they are open. */
async function respondsAt({ port, secret, mail }: IssuerPlace): Promise<boolean> {
  const told = await toldBy(port, secret)
  const ports = told?.mail as Partial<MailPorts> | undefined
  return told !== undefined && ports?.imap === mail?.imap && ports?.smtp === mail?.smtp
}
