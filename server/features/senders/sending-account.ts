import { sql } from 'kysely'
import type { SmtpOptions } from '#server/engine/index.ts'
import type { Config } from '#server/platform/config.ts'
import { decrypt } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { publicLookup } from '#server/platform/egress.ts'

/** What it takes to know a sender's mail server: plain data, so that the sending thread can have it too. */
export interface SenderSecrets {
  config: Pick<Config, 'secretKey' | 'mailFrom' | 'allowPrivate' | 'dnsServers' | 'publicUrl'>
  smtpUrl: string | undefined
}

/** A sender ready to send with. */
export interface SendingAccount {
  id: string
  /** Changes with every setting that a connection depends on. */
  key: string
  fromName: string
  fromEmail: string
  perSecond: number | null
  perDay: number | null
  connections: number
  restUntil: Date | null
  troubles: number
  state: string
  stateText: string
  smtp: SmtpOptions
}

/** The address part of `Name <address>`. */
export const addressOf = (mailbox: string) => /<([^<>]+)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim()

/** SMTP_URL as connection settings. smtps: TLS from the first byte; smtp: STARTTLS when offered. */
export function smtpFromUrl(text: string): SmtpOptions {
  const url = new URL(text)
  const tls = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (tls ? 465 : 587),
    secure: tls ? 'tls' : 'opportunistic',
    auth: user ? { user, password: decodeURIComponent(url.password) } : null,
  }
}

/** Name this installation gives in EHLO. */
const ehloName = (publicUrl: string) => new URL(publicUrl).hostname

/** The connection settings of a sender row; undefined when the default sender has no SMTP_URL. */
export function smtpOf(secrets: SenderSecrets, row: { id: string; isDefault: boolean; host: string | null; port: number | null; secure: string | null; username: string | null; passwordEncrypted: string | null }): SmtpOptions | undefined {
  const { config } = secrets
  if (row.isDefault) return secrets.smtpUrl ? { ...smtpFromUrl(secrets.smtpUrl), ehloName: ehloName(config.publicUrl) } : undefined
  if (!row.host || !row.port) return undefined
  const password = row.passwordEncrypted ? decrypt(config.secretKey, row.passwordEncrypted, `sender:${row.id}`) : ''
  return {
    host: row.host,
    port: row.port,
    secure: (row.secure ?? 'starttls') as SmtpOptions['secure'],
    auth: row.username ? { user: row.username, password } : null,
    ehloName: ehloName(config.publicUrl),
    lookup: publicLookup(row.host, row.port, { allow: config.allowPrivate, dnsServers: config.dnsServers }),
  }
}

/** A sender of the workspace, ready to send with; undefined when there is none or it has no mail server. */
export async function sendingAccount(secrets: SenderSecrets, db: Db, workspaceId: string, senderId: string): Promise<SendingAccount | undefined> {
  const row = await db
    .selectFrom('senders')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', senderId)
    .selectAll()
    .select(sql<Date | null>`case when rest_until > now() then rest_until end`.as('restUntil'))
    .executeTakeFirst()
  const smtp = row && smtpOf(secrets, row)
  if (!row || !smtp) return undefined
  return {
    id: row.id,
    key: [row.id, smtp.host, smtp.port, smtp.secure, smtp.auth?.user, row.passwordEncrypted, row.connections].join('|'),
    fromName: row.fromName,
    fromEmail: row.fromEmail || (row.isDefault ? addressOf(secrets.config.mailFrom) : ''),
    perSecond: row.perSecond,
    perDay: row.perDay,
    connections: row.connections,
    restUntil: row.restUntil,
    troubles: row.troubles,
    state: row.state,
    stateText: row.stateText,
    smtp,
  }
}
