import type { GoogleSettings } from '#server/adapters/google/sign-in.ts'
import type { ReplyMailboxes, SandboxDns } from '#server/features/sandbox/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { startDns } from './dns/dns-sandbox.ts'
import { type GraphSandbox, startGraph } from './graph/graph-sandbox.ts'
import { type MailSandbox, startMailSandbox } from './mail/mail-sandbox.ts'
import { startIssuer } from './oidc/oidc-sandbox.ts'
import { type StripeSandbox, startStripe } from './stripe/stripe-sandbox.ts'

/** The local emulators for outside services, running: one for each that is not configured. */
export interface Sandbox {
  mail: MailSandbox | undefined
  google: GoogleSettings | undefined
  whatsapp: GraphSandbox | undefined
  gmailApiUrl: string | undefined
  /** Where its accounts with an app password send and are read. */
  gmailSmtpUrl: string | undefined
  gmailImapUrl: string | undefined
  /** Puts replies into its mailboxes. */
  gmailReplies: ReplyMailboxes | undefined
  stripe: StripeSandbox | undefined
  /** The DNS of sending domains, while email goes to the sandbox too. */
  dns: (SandboxDns & { address: string }) | undefined
  stop(): Promise<void>
}

/** Starts what stands in for the mail server, for Google, for WhatsApp, for Stripe and for DNS, on 127.0.0.1. In production nothing stands in for anything. */
export async function startSandbox(config: Config, log: Log): Promise<Sandbox> {
  if (config.production)
    return {
      mail: undefined,
      google: undefined,
      gmailApiUrl: undefined,
      gmailSmtpUrl: undefined,
      gmailImapUrl: undefined,
      gmailReplies: undefined,
      whatsapp: undefined,
      stripe: undefined,
      dns: undefined,
      stop: async () => undefined,
    }
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  const keep = <T extends { stop(): Promise<void> }>(started: T): T => {
    stops.push(() => started.stop())
    return started
  }
  try {
    const mail = config.smtpUrl ? undefined : keep(await startMailSandbox(config, log))
    // Gmail's emulator takes only the tokens of the issuer's.
    const stands = !config.google || !config.gmailApiUrl
    const issuer = stands ? keep(await startIssuer(config, log, mail?.smtpUrl)) : undefined
    const whatsapp = config.whatsappApiUrl ? undefined : keep(await startGraph(config, log))
    const stripe = config.stripe ? undefined : keep(await startStripe(config, log))
    // Email that really leaves is judged by the internet's DNS.
    const hasDns = mail !== undefined && config.dnsServers.length === 0
    const dns = hasDns ? keep(await startDns(config, log)) : undefined
    // Its mail servers know the same mailboxes.
    const gmail = config.gmailApiUrl ? undefined : issuer
    return {
      mail,
      google: issuer?.settings,
      gmailApiUrl: gmail?.settings.issuer,
      gmailSmtpUrl: gmail?.gmailSmtpUrl,
      gmailImapUrl: gmail?.gmailImapUrl,
      gmailReplies: gmail?.replyMailboxes,
      whatsapp,
      stripe,
      dns,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
