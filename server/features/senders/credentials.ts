import { createHash } from 'node:crypto'
import { buildMark, deriveMarkKey } from '#server/adapters/sandbox/workspace-mark.ts'
import { readSmtpUrl } from '#server/adapters/smtp/smtp-url.ts'
import type { SmtpOptions } from '#server/engine/index.ts'
import type { Config } from '#server/platform/config.ts'
import { decrypt, encrypt } from '#server/platform/crypto.ts'

import type { SenderRow } from './store.ts'

/** A sender that cannot be used as it is; the message says what to do. */
export class UnusableSender extends Error {}

/** The context a stored password is bound to. */
const passwordContext = (id: string) => `sender:${id}`

/** A password as it is stored with the sender `id`. */
export const sealPassword = (secretKey: string, id: string, password: string): string =>
  encrypt(secretKey, password, passwordContext(id))

/** The password of a sender. Throws UnusableSender where it can no longer be read. */
export function openPassword(secretKey: string, row: Pick<SenderRow, 'id' | 'passwordEncrypted'>): string {
  try {
    return row.passwordEncrypted === null ? '' : decrypt(secretKey, row.passwordEncrypted, passwordContext(row.id))
  } catch {
    throw new UnusableSender('The stored password can no longer be read, because SECRET_KEY changed. Enter it again.')
  }
}

/** A server that the operator names by a URL, such as SMTP_URL; so it is exempt from the egress rule. */
export function operatorSmtp(smtpUrl: string): SmtpOptions {
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

/** Our name to a mail server; to the sandbox's, the mark of the workspace, by which it knows whose mail it stores. */
export function ehloNameFor(
  { config }: { config: Pick<Config, 'publicUrl' | 'secretKey'> },
  workspaceId: string,
  isSandbox: boolean,
): string {
  return isSandbox ? buildMark(deriveMarkKey(config.secretKey), workspaceId) : new URL(config.publicUrl).hostname
}

/** The address of MAIL_FROM, which the default sender writes from until it is given one of its own. */
export function defaultFrom(mailFrom: string): string {
  return /<([^<>]+)>$/.exec(mailFrom.trim())?.[1] ?? mailFrom.trim()
}

/** The key of a sender's pool of connections: another one whenever `parts`, what the connection is made of, differ. */
export const poolKey = (id: string, ...parts: unknown[]): string =>
  `${id}:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`
