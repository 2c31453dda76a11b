import { createHash } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import type { GmailChannel } from '#server/adapters/google/channel.ts'
import { connectGmail } from '#server/adapters/google/gmail-connection.ts'
import { connectGmailSmtp } from '#server/adapters/google/gmail-smtp.ts'
import { type Connect, connect, type SmtpOptions } from '#server/engine/index.ts'
import type { Config } from '#server/platform/config.ts'
import { decrypt } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { EgressError, type EgressRules, publicLookup } from '#server/platform/egress.ts'
import { readSmtpUrl } from '#server/platform/smtp-url.ts'
import { accessOf } from './gmail/access.ts'
import { rampLimit } from './gmail/ramp.ts'
import { GMAIL_MISSING } from './gmail/setup.ts'
import { forgetAccess } from './gmail/store.ts'
import { type SenderRow, senderById } from './store.ts'

/** What is needed to reach a mail server; plain data, so that a sending thread can be given it. */
export interface SenderServices {
  config: Pick<Config, 'secretKey' | 'mailFrom' | 'allowPrivate' | 'dnsServers' | 'publicUrl'>
  smtpUrl: string | undefined
  gmail: GmailChannel | undefined
}

/** A sender ready to send with: credentials decrypted, the way out checked. */
export interface SendingAccount {
  id: string
  /** Changes whenever the connection does: what pools of connections go by. */
  key: string
  /** Opens a connection that takes messages one by one: to a mail server, or to what answers like one. */
  connect: Connect
  /** null: it is no mail server. */
  smtp: SmtpOptions | null
  kind: 'smtp' | 'gmail'
  /** It uses the mail server of the installation. */
  isDefault: boolean
  fromName: string
  fromEmail: string
  /** null is without a limit. */
  perSecond: number | null
  perMinute: number | null
  perDay: number | null
  connections: number
  state: string
  stateText: string
  restUntil: Date | null
  troubles: number
  /** Milliseconds until its pace has a free slot. */
  slotIn: number
  /** Messages of any 24 hours with the slow start of a Gmail account; null: no limit. */
  dayLimit: number | null
  /** A Gmail account whose permission has ended. */
  revoked: boolean
  /** Why a Gmail account sends nothing until somebody lets it: its mail was refused too often; null: it may. */
  blocked: string | null
}

/** A sender that cannot be used as it is; the message says what to do. */
export class UnusableSender extends Error {}

export const NOT_CONFIGURED = 'Not configured: SMTP_URL is not set, so there is no mail server to send with.'

/** The address of MAIL_FROM, which the default sender writes from until it is given one of its own. */
export function defaultFrom(mailFrom: string): string {
  return /<([^<>]+)>$/.exec(mailFrom.trim())?.[1] ?? mailFrom.trim()
}

/** The context a stored password is bound to. */
export const passwordContext = (id: string) => `sender:${id}`

/** SMTP_URL as the product's own mail takes it. The operator's own, so exempt from the egress rule. */
function operatorSmtp(smtpUrl: string): SmtpOptions {
  const { url, secure } = readSmtpUrl(smtpUrl)
  const user = decodeURIComponent(url.username)
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (secure === 'tls' ? 465 : 587),
    secure,
    auth: user ? { user, password: decodeURIComponent(url.password) } : null,
    ...(url.searchParams.get('tls.rejectUnauthorized') === 'false' && { rejectUnauthorized: false }),
  }
}

/** The password of a sender. Throws UnusableSender where it cannot be read any more. */
export function openPassword(secretKey: string, row: SenderRow): string {
  try {
    return row.passwordEncrypted === null ? '' : decrypt(secretKey, row.passwordEncrypted, passwordContext(row.id))
  } catch {
    throw new UnusableSender('The stored password cannot be read any more, because SECRET_KEY changed. Enter it again.')
  }
}

/** How to reach a sender's server. Throws UnusableSender. */
export function smtpOptions(services: SenderServices, row: SenderRow): SmtpOptions {
  const ehloName = new URL(services.config.publicUrl).hostname
  if (row.isDefault && services.smtpUrl) return { ...operatorSmtp(services.smtpUrl), ehloName }
  if (row.isDefault) throw new UnusableSender(NOT_CONFIGURED)
  if (row.kind === 'gmail') return { ...gmailSmtp(services, row), ehloName }
  const { secretKey, allowPrivate, dnsServers } = services.config
  const [host, port] = [row.host ?? '', row.port ?? 587]
  const password = openPassword(secretKey, row)
  return {
    host: host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''),
    port,
    secure: (row.secure ?? 'starttls') as SmtpOptions['secure'],
    auth: row.username ? { user: row.username, password } : null,
    ehloName,
    lookup: lookupFor(host, port, { allow: allowPrivate, dnsServers }),
  }
}

function lookupFor(host: string, port: number, rules: EgressRules): LookupFunction {
  try {
    return publicLookup(host, port, rules)
  } catch (error) {
    if (error instanceof EgressError) throw new UnusableSender(`This mail server cannot be used: ${error.message}.`)
    throw error
  }
}

/** smtp.gmail.com, or where the operator says it is. */
function gmailSmtp({ gmail, config }: SenderServices, row: SenderRow): SmtpOptions {
  if (!gmail) throw new UnusableSender(GMAIL_MISSING)
  return {
    ...operatorSmtp(gmail.smtpUrl),
    auth: { user: row.username ?? row.fromEmail, password: openPassword(config.secretKey, row) },
  }
}

/** How the sender's messages leave, and what changes when its connection does. */
function wayOf(services: SenderServices, db: Db, row: SenderRow): Pick<SendingAccount, 'connect' | 'smtp' | 'key'> {
  const keyOf = (...parts: unknown[]) =>
    `${row.id}:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`
  if (row.kind === 'gmail' && row.gmailAccess === 'oauth') {
    const { gmail } = services
    if (!gmail) throw new UnusableSender(GMAIL_MISSING)
    let sealed = ''
    const access = {
      async token() {
        const access = await accessOf(services, db, row.id)
        sealed = access.sealed
        return access.token
      },
      refused: () => forgetAccess(db, row.id, sealed),
    }
    return {
      smtp: null,
      connect: () => connectGmail(gmail.apiUrl, access),
      key: keyOf(gmail.apiUrl, row.gmailConnectedAt),
    }
  }
  const smtp = smtpOptions(services, row)
  const { host, port, secure, auth } = smtp
  return {
    smtp,
    connect: (habits) => (row.kind === 'gmail' ? connectGmailSmtp(smtp, habits) : connect(smtp, habits)),
    key: keyOf(host, port, secure, auth),
  }
}

/** A sender ready to send with. Throws UnusableSender. */
export function accountOf(services: SenderServices, db: Db, row: SenderRow): SendingAccount {
  const { id, fromName, perSecond, perMinute, perDay, connections, state, stateText, restUntil, troubles, slotIn } = row
  return {
    ...wayOf(services, db, row),
    id,
    kind: row.kind as SendingAccount['kind'],
    isDefault: row.isDefault,
    fromName,
    fromEmail: row.fromEmail || (row.isDefault ? defaultFrom(services.config.mailFrom) : ''),
    perSecond,
    perMinute,
    perDay,
    connections,
    state,
    stateText,
    restUntil,
    troubles,
    slotIn,
    dayLimit: perDay === null ? null : rampLimit(perDay, row.gmailRampUp ?? false, row.gmailRampFrom, Date.now()),
    revoked: row.gmailRevokedAt !== null,
    blocked: row.gmailBlockedAt ? (row.gmailBlockedText ?? '') : null,
  }
}

/** What the sending side needs of a sender; undefined when it is gone, not configured or cannot be used. */
export async function sendingAccount(
  services: SenderServices,
  db: Db,
  workspaceId: string,
  senderId: string,
): Promise<SendingAccount | undefined> {
  const row = await senderById(db, workspaceId, senderId)
  try {
    return row && accountOf(services, db, row)
  } catch (error) {
    if (error instanceof UnusableSender) return undefined
    throw error
  }
}
