import type { z } from 'zod'
import type { Sender, senders } from '#contracts/senders/senders.ts'
import type { GmailChannel } from '#server/adapters/google/channel.ts'
import type { Connect, SmtpOptions } from '#server/engine/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import type { SenderRow } from './store.ts'

/** What is needed to reach a mail server; plain data, so that a sending thread can be given it. */
export interface SenderServices {
  config: Pick<
    Config,
    'secretKey' | 'mailFrom' | 'allowPrivate' | 'dnsServers' | 'publicUrl' | 'returnPathHost' | 'trackingHost'
  >
  smtpUrl: string | undefined
  /** `smtpUrl` is the emulator's. */
  sandbox: boolean
  gmail: GmailChannel | undefined
}

/** What the thread that sends is given of the services of this one. */
export function senderServices({
  config,
  smtpUrl,
  sandbox,
  gmail,
}: Pick<Services, 'config' | 'smtpUrl' | 'sandbox' | 'gmail'>): SenderServices {
  const { secretKey, mailFrom, allowPrivate, dnsServers, publicUrl, returnPathHost, trackingHost } = config
  return {
    config: { secretKey, mailFrom, allowPrivate, dnsServers, publicUrl, returnPathHost, trackingHost },
    smtpUrl,
    sandbox,
    gmail,
  }
}

/** What is needed to create, change and try senders. */
export type SenderContext = Pick<Services, 'db' | 'config' | 'smtpUrl' | 'sandbox' | 'gmail' | 'queue' | 'live'>

export type NewSender = z.output<typeof senders.create.body>
export type SenderChange = z.output<typeof senders.update.body>

/** What sending needs of a sender of any kind. */
export interface CommonAccount {
  id: string
  /** It uses the mail server of the installation. */
  isDefault: boolean
  fromName: string
  fromEmail: string
  /** null is without a limit. */
  perSecond: number | null
  perDay: number | null
  connections: number
  state: string
  stateText: string
  restUntil: Date | null
  troubles: number
}

/** How the messages of a sender leave. */
export interface AccountConnection {
  /** Changes whenever the connection does: what pools of connections go by. */
  key: string
  /** Opens a connection that takes messages one by one: to a mail server, or to what responds like one. */
  connect: Connect
  /** Messages of any 24 hours at this moment; null: no limit. */
  dayLimit: number | null
}

/** A sender ready to send with: credentials decrypted, the way out checked. Its kind may add to it. */
export interface SendingAccount extends CommonAccount, AccountConnection {
  /** Which SenderKind it is of. */
  kind: Sender['kind']
  /** How its mail server is reached; null: it sends in another way. */
  smtp: SmtpOptions | null
  /** The service at the other end changes headers and signs by itself. */
  signsItself?: true
}

type Own<S> = S extends Sender ? Pick<S, 'kind' | 'gmail'> : never

/** The fields of a sender that depend on its kind, as the contract has them. */
export type KindFields = Own<Sender>

/** A field of a new or changed sender that not every kind has; a limit by the path that a refusal names. */
export type KindField = 'receiverLimits' | 'rampUp' | 'reads' | 'limits.perMinute'

/** What became of a change, or of a new sender: whether its connection is to be tried, and why it fails, where that is known. */
export interface Saved {
  reconnects: boolean
  problem?: string | undefined
}

/** A sender with what its kind has beside the row of every sender. */
export interface KindSender {
  /** Why it cannot send on this installation, whatever its own settings are; undefined: nothing is missing. */
  missing: string | undefined
  present(): KindFields
  /** Makes it ready to send with. Throws UnusableSender. */
  open(common: CommonAccount): SendingAccount
  /** Stores a change. Throws Refusal 400 or 429. */
  change(context: SenderContext, given: SenderChange): Promise<Saved>
  /** Lets it send again where it was stopped, in the transaction `db`. Returns whether it was. Missing: nothing stops one. */
  release?(db: Db): Promise<boolean>
  /** Queues what ends elsewhere with the sender, in the transaction `db` that removes it. */
  beforeRemoval?(context: Pick<SenderContext, 'queue'>, db: Db): Promise<void>
}

/**
 * A kind of sender. Everything that differs between kinds is said here, once a kind; nothing else asks which one a sender
 * has. A feature adds its own with addSenderKind().
 */
export interface SenderKind {
  /** As senders.kind has it, and the contract. */
  id: Sender['kind']
  /** The service at the other end, in words. */
  label: string
  /** Its senders, in words: "Gmail accounts". */
  senders: string
  /** Fields that senders of other kinds are refused with. */
  fields: readonly KindField[]
  /** Stores a new sender, whose `kind` is this one; it is tried afterwards. Throws Refusal 400, 402, 409 or 429. */
  create(
    context: SenderContext,
    workspaceId: string,
    given: NewSender,
  ): Promise<Omit<Saved, 'reconnects'> & { id: string }>
  /** Reads what senders of this kind have beside their rows, by id; without those that were removed meanwhile. */
  read(services: SenderServices, db: Db, workspaceId: string, rows: SenderRow[]): Promise<Map<string, KindSender>>
}
