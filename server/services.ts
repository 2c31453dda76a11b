import type { GmailChannel } from './adapters/google/channel.ts'
import type { GoogleSignIn } from './adapters/google/sign-in.ts'
import type { Mailer } from './adapters/smtp/mailer.ts'
import type { Payments } from './adapters/stripe/client.ts'
import type { WhatsAppApi } from './adapters/whatsapp/api.ts'
import type { Intervals } from './intervals.ts'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/db/database.ts'
import type { Reads } from './platform/db/replica.ts'
import type { Live } from './platform/live/live.ts'
import type { Log } from './platform/log.ts'
import type { Queue } from './platform/queue.ts'

/** What a feature may be given. main.ts makes it; nothing here is importable as a singleton. */
export interface Services {
  config: Config
  intervals: Intervals
  log: Log
  db: Database['db']
  pool: Database['pool']
  conditions: Database['conditions']
  connection: Database['connection']
  /** Where heavy reads of reports and exports go: a replica, if there is one. */
  reads: Reads
  alone: Database['alone']
  trouble: Database['trouble']
  queue: Queue
  mailer: Mailer
  live: Live
  /** Where mail of the default sender goes: SMTP_URL, or the sandbox's address. undefined: not configured. */
  smtpUrl: string | undefined
  /** Signing in with Google, or the sandbox's issuer. undefined: not configured. */
  google: GoogleSignIn | undefined
  /** Meta's Cloud API, or the sandbox's emulator. undefined: not configured. */
  whatsapp: WhatsAppApi | undefined
  /** Gmail, or its emulator. undefined: not configured. */
  gmail: GmailChannel | undefined
  /** Stripe, or the sandbox's emulator. undefined: not configured. */
  payments: Payments | undefined
  /** Who is asked about sending domains: DNS_SERVERS, the sandbox's name server, or the system's where there are none. */
  nameServers: { servers: readonly string[]; sandbox: boolean }
  /** Whether the mail of this process goes to a local emulator. */
  sandbox: boolean
}
