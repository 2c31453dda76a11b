import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, Line, Moment } from '#contracts/values.ts'

/** What Google lets one account send in any 24 hours, by any way: its own numbers, which nobody can raise here. */
export const gmailDailyCap = { consumer: 500, workspace: 2_000 } as const
/** Messages of a minute: Gmail's API serves 60. */
export const gmailPerMinute = { default: 20, max: 60 } as const

/** What only a Gmail account has, beside what every sender has. */
export const GmailAccount = z.object({
  access: z.enum(['oauth', 'app_password']),
  account: z.enum(['consumer', 'workspace']),
  /** Google's own limit of any 24 hours; `limits.perDay` of the sender is at most this. */
  dailyCap: z.number().int(),
  /** Whether replies and bounces are seen: where reading was allowed, at Google or with the app password. Otherwise they are unknown. */
  reads: z.boolean(),
  /** When the mailbox was last looked into for them, and why it could not be; empty: it could. */
  readAt: Moment.nullable(),
  readText: z.string(),
  /** Connected with the workspace's own client in Google's console. */
  ownClient: z.boolean(),
  health: z.enum(['untested', 'working', 'expiring', 'failing', 'revoked']),
  healthText: z.string(),
  /** Since when it sends nothing, because its mail was refused as unwanted too often; `healthText` says more. null: it may send. */
  blockedAt: Moment.nullable(),
  /** When the connection ends by itself: a client in testing mode gives seven days. */
  expiresAt: Moment.nullable(),
  /** A slow start: 50 on the first day, half as many more each day, up to the limit; `rampPlan` of the sender says where it is. */
  rampUp: z.boolean(),
  /** Messages of the last 24 hours, and how many these may be at this moment. */
  sentToday: z.number().int(),
  allowedToday: z.number().int(),
  connectedAt: Moment,
})
export type GmailAccount = z.infer<typeof GmailAccount>

/** Why a connection did not come about, as `?error=` of /gmail-sender/accounts. */
export const GmailRefusal = z.enum([
  'access_denied',
  'missing_scope',
  'wrong_account',
  'not_begun_here',
  'no_refresh_token',
  'client_refused',
  'no_room',
  'failed',
])
export type GmailRefusal = z.infer<typeof GmailRefusal>

/** What to tell people about each of them. */
export const gmailRefusals: Record<GmailRefusal, string> = {
  access_denied:
    'Access was denied on Google’s page, so nothing was connected. Connect again and choose Continue if you want to.',
  missing_scope:
    'Sending was not allowed: the box for sending email was not selected on Google’s page. Nothing was connected. Connect again and select it.',
  wrong_account:
    'A different Google account was chosen than the one to reconnect. Nothing was changed. Connect again and choose the same account, or add the other one as a new account.',
  not_begun_here:
    'This connection was started in another browser or more than ten minutes ago. No account was connected. Start again here.',
  no_refresh_token:
    'Google did not grant lasting access. Remove Postlark under “Third-party apps” of the Google account, then connect again.',
  client_refused:
    'Google does not accept the client id or its secret. Check both in Google’s console, and that the redirect address is entered there exactly.',
  no_room:
    'Your plan has no room for another sender, so nothing was connected. Remove one under Senders, or choose a larger plan.',
  failed: 'Google could not be reached, or its response could not be verified. Nothing was connected. Try again.',
}

const Client = z.object({ clientId: z.string(), own: z.boolean() })

export const gmail = {
  setup: endpoint('GET /api/gmail/setup', 'user', {
    summary: 'Get whether Gmail accounts can be connected, with which client, and what to enter in the Google console',
    response: z.object({
      available: z.boolean(),
      /** Why not, for people; empty where it is available. */
      text: z.string(),
      /** What Google’s console asks for as authorized redirect URI. */
      redirectUri: z.string(),
      /** The scopes to add in the console: always the first; the second only to see replies and bounces. */
      sendScope: z.string(),
      readScope: z.string(),
      /** The workspace’s own client, else the installation’s; null: enter one first. */
      client: Client.nullable(),
    }),
  }),
  saveClient: endpoint('PUT /api/gmail/client', 'paid', {
    refusals: [409],
    summary: 'Use your own client of the Google console; its secret is never returned',
    body: z.strictObject({
      clientId: Line(200).regex(/^[\w.-]+\.apps\.googleusercontent\.com$/, 'ends in .apps.googleusercontent.com'),
      clientSecret: Line(200).min(8, 'is too short'),
    }),
    response: z.object({ client: Client }),
  }),
  removeClient: endpoint('DELETE /api/gmail/client', 'paid', {
    summary: 'Remove your own client. Accounts connected with it have to be reconnected once their access expires',
    response: Empty,
  }),
  connect: endpoint('POST /api/gmail/connect', 'paid', {
    refusals: [402, 404, 409, 502],
    summary:
      'Start connecting an account: redirect the browser to `url`; it returns to /gmail-sender/accounts with ?connected={senderId} or ?error=',
    body: z.strictObject({
      /** Also ask for reading, to see replies and bounces and to stop follow-ups on a reply. */
      reads: z.boolean().default(false),
      /** Reconnect this account, and no other. */
      senderId: Id.optional(),
    }),
    response: z.object({ url: z.string() }),
  }),
  callback: endpoint('GET /api/gmail/callback', 'public', {
    summary: 'The OAuth callback of Google',
    transport: 'redirect',
    status: 302,
  }),
}
