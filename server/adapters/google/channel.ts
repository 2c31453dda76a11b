import { type Config, GOOGLE } from '#server/platform/config.ts'
import type { GoogleSettings } from './sign-in.ts'

/** How Gmail is reached; plain data, so that a sending thread can be given it. */
export interface GmailChannel {
  /** Base of the Gmail REST API, no slash at the end. */
  apiUrl: string
  /** Whose consent page and token endpoint. */
  issuer: string
  /** The installation's own client; undefined: each workspace brings one. */
  client: Omit<GoogleSettings, 'issuer'> | undefined
  /** Where accounts with an app password send, and where their mailboxes are read. */
  smtpUrl: string
  imapUrl: string
  /** Which of these is the emulator's, which is told whose message it is. */
  isSandbox: { api: boolean; smtp: boolean }
}

const SMTP = 'smtps://smtp.gmail.com:465'
/** Google's own; any other one is the operator's. */
export const IMAP = 'imaps://imap.gmail.com:993'

/** The configured channel, or the sandbox's. undefined: production without GMAIL_API_URL. */
export function gmailChannel(
  config: Pick<Config, 'google' | 'gmailApiUrl' | 'gmailSmtpUrl' | 'gmailImapUrl'>,
  sandbox: {
    google: GoogleSettings | undefined
    gmailApiUrl: string | undefined
    gmailSmtpUrl: string | undefined
    gmailImapUrl: string | undefined
  },
): GmailChannel | undefined {
  const apiUrl = config.gmailApiUrl ?? sandbox.gmailApiUrl
  if (!apiUrl) return undefined
  // The emulator for the API knows only the tokens of the emulator for the issuer.
  const settings = config.gmailApiUrl ? (config.google ?? sandbox.google) : sandbox.google
  return {
    apiUrl,
    issuer: settings?.issuer ?? GOOGLE,
    client: settings && { clientId: settings.clientId, clientSecret: settings.clientSecret },
    smtpUrl: config.gmailSmtpUrl ?? sandbox.gmailSmtpUrl ?? SMTP,
    imapUrl: config.gmailImapUrl ?? sandbox.gmailImapUrl ?? IMAP,
    isSandbox: {
      api: config.gmailApiUrl === undefined,
      smtp: config.gmailSmtpUrl === undefined && sandbox.gmailSmtpUrl !== undefined,
    },
  }
}
