import type { z } from 'zod'
import type { Sender, senders } from '#contracts/senders.ts'
import { parseAddress } from '#server/engine/index.ts'
import { requireRoomForSender } from '#server/features/billing/index.ts'
import { audit } from '#server/platform/audit.ts'
import { encrypt } from '#server/platform/crypto.ts'
import { canonicalHost, EgressError, resolvePublicAll } from '#server/platform/egress.ts'
import { conflict, invalid } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { defaultFrom, NOT_CONFIGURED, passwordContext } from './connection.ts'
import { askForConfirmation, isFromAllowed } from './from-address.ts'
import { changeGmail, insertByPassword } from './gmail/app-password.ts'
import { queueRevoke } from './gmail/connect.ts'
import { presentGmail } from './gmail/health.ts'
import { GMAIL_MISSING } from './gmail/setup.ts'
import { release } from './gmail/store.ts'
import * as store from './store.ts'
import { findSender, limitTries, type SenderContext, tryAndNote } from './trying.ts'

type New = Exclude<z.output<typeof senders.create.body>, { kind: 'gmail' }>
type NewGmail = Extract<z.output<typeof senders.create.body>, { kind: 'gmail' }>
type Change = z.output<typeof senders.update.body>

/** Why it cannot send on this installation, whatever its own settings are. */
function missingOf(row: store.SenderRow, services: { smtpUrl: string | undefined; gmail: unknown }) {
  if (row.isDefault && services.smtpUrl === undefined) return NOT_CONFIGURED
  return row.kind === 'gmail' && services.gmail === undefined ? GMAIL_MISSING : undefined
}

/** A sender as the outside sees it: never its password. */
async function presentSender(row: store.SenderRow, services: Omit<SenderContext, 'queue'>): Promise<Sender> {
  const missing = missingOf(row, services)
  return {
    id: row.id,
    kind: row.kind as Sender['kind'],
    name: row.name,
    isDefault: row.isDefault,
    host: row.host,
    port: row.port,
    secure: row.secure as Sender['secure'],
    user: row.username,
    hasPassword: row.passwordEncrypted !== null,
    fromName: row.fromName,
    fromEmail: row.fromEmail || (row.isDefault ? defaultFrom(services.config.mailFrom) : ''),
    fromConfirmed: await isFromAllowed(services, row),
    limits: { perSecond: row.perSecond, perDay: row.perDay, perMinute: row.perMinute, connections: row.connections },
    gmail: presentGmail(row),
    state: missing ? 'failing' : (row.state as Sender['state']),
    stateText: missing ?? row.stateText,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

export async function showSender(services: SenderContext, workspaceId: string, id: string): Promise<Sender> {
  return presentSender(await findSender(services, workspaceId, id), services)
}

/** Refuses a server that is not public. Answers why its name cannot be found, should that be so: a name may come to life later. */
async function checkHost(services: SenderContext, host: string, port: number): Promise<string | undefined> {
  try {
    await resolvePublicAll(host, port, { allow: services.config.allowPrivate, dnsServers: services.config.dnsServers })
    return undefined
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    if (error.kind === 'host') throw invalid('host', 'is not a host name or address')
    if (error.kind === 'private') {
      throw invalid(
        'host',
        'is not on the public internet, so it cannot be used. The operator can allow it with COLLECTOR_ALLOW_PRIVATE (host:port)',
      )
    }
    return `The mail server was not found: ${error.message}. Check how its name is spelled.`
  }
}

const securityOf = (secure: New['secure']): 'tls' | 'starttls' | 'none' =>
  secure === true ? 'tls' : secure === false ? 'none' : secure

function checkFrom(fromEmail: string | undefined): void {
  if (fromEmail !== undefined && !parseAddress(fromEmail)) throw invalid('fromEmail', 'is not an email address')
}

/** Saves a mail server, or a Gmail account by app password, and tries it. It is kept in any case; its state says whether it works. */
export async function createSender(
  services: SenderContext,
  workspaceId: string,
  given: New | NewGmail,
): Promise<Sender> {
  if (given.kind !== 'gmail') return createSmtp(services, workspaceId, given)
  await limitTries(services, workspaceId)
  const id = await insertByPassword(services, workspaceId, given)
  await tryAndNote(services, workspaceId, id, undefined)
  return showSender(services, workspaceId, id)
}

async function createSmtp(services: SenderContext, workspaceId: string, given: New): Promise<Sender> {
  if (given.limits?.perMinute !== undefined) throw invalid('limits.perMinute', 'is for Gmail accounts')
  checkFrom(given.fromEmail)
  await limitTries(services, workspaceId)
  const missing = await checkHost(services, given.host, given.port)
  const { host, port, fromName, fromEmail, limits = {}, user, password } = given
  const fields = {
    name: given.name || host,
    host,
    port,
    secure: securityOf(given.secure),
    username: user || null,
    fromName,
    fromEmail,
    ...limits,
  }
  const seal = (id: string) => (password ? encrypt(services.config.secretKey, password, passwordContext(id)) : null)
  const id = await services.db.transaction().execute(async (db) => {
    await requireRoomForSender(services, db, workspaceId)
    await audit(db, { action: 'sender_added', subject: fields.name, workspaceId, details: { host, user: user ?? '' } })
    return store.insertSender(db, workspaceId, fields, seal)
  })
  await tryAndNote(services, workspaceId, id, missing)
  return showSender(services, workspaceId, id)
}

const CONNECTION = ['host', 'port', 'secure', 'user', 'password'] as const

function checkChange(row: store.SenderRow, given: Change): void {
  checkFrom(given.fromEmail)
  if (row.isDefault) {
    const fixed = ([...CONNECTION, 'name'] as const).find((field) => given[field] !== undefined)
    if (fixed)
      throw invalid(fixed, 'of the default sender is set by the operator (SMTP_URL) and cannot be changed here')
  }
  const moves = given.host !== undefined && row.host !== null && hostOf(given.host) !== hostOf(row.host)
  // Otherwise whoever holds a session could have the stored password sent to a server of his own.
  if (moves && row.passwordEncrypted !== null && given.password === undefined) {
    throw invalid('password', 'is needed again when the server changes')
  }
}

function hostOf(host: string): string {
  try {
    return canonicalHost(host)
  } catch {
    throw invalid('host', 'is not a host name or address')
  }
}

/** Changes a sender; a changed connection is tried again. Throws Refusal 400 or 404. */
export async function changeSender(
  services: SenderContext,
  workspaceId: string,
  id: string,
  given: Change,
): Promise<Sender> {
  const row = await findSender(services, workspaceId, id)
  if (row.kind === 'gmail') {
    if (await changeGmail(services, row, given)) {
      await limitTries(services, workspaceId)
      await tryAndNote(services, workspaceId, id, undefined)
    }
    return showSender(services, workspaceId, id)
  }
  if (given.rampUp !== undefined) throw invalid('rampUp', 'is for Gmail accounts')
  if (given.reads !== undefined) throw invalid('reads', 'is for Gmail accounts')
  if (given.limits?.perMinute !== undefined) throw invalid('limits.perMinute', 'is for Gmail accounts')
  checkChange(row, given)
  const reconnects = CONNECTION.some((field) => given[field] !== undefined)
  let missing: string | undefined
  if (reconnects) {
    await limitTries(services, workspaceId)
    missing = await checkHost(services, given.host ?? row.host ?? '', given.port ?? row.port ?? 0)
  }
  const { user, password, secure, limits = {}, rampUp: _, reads: __, ...plain } = given
  const fields: store.SenderFields = { ...plain, ...limits }
  if (secure !== undefined) fields.secure = securityOf(secure)
  if (user !== undefined) fields.username = user || null
  if (password !== undefined)
    fields.passwordEncrypted = password ? encrypt(services.config.secretKey, password, passwordContext(id)) : null
  if (user === '') fields.passwordEncrypted = null
  await services.db.transaction().execute(async (db) => {
    await store.updateSender(db, workspaceId, id, fields)
    if (reconnects) await store.forgetState(db, workspaceId, id)
    const { fromEmail } = given
    if (fromEmail !== undefined && !(await isFromAllowed({ ...services, db }, { ...row, fromEmail })))
      await askForConfirmation(services, db, workspaceId, fromEmail)
    // What is written from, and with which key; a new pace is nobody's danger.
    const changed = [...CONNECTION, 'fromEmail' as const].filter((field) => given[field] !== undefined)
    if (changed.length > 0)
      await audit(db, {
        action: 'sender_changed',
        subject: row.name || 'Default sender',
        workspaceId,
        details: { changed },
      })
  })
  if (reconnects) await tryAndNote(services, workspaceId, id, missing)
  return showSender(services, workspaceId, id)
}

/** Sends the link again that confirms a sender's from address. Throws Refusal 404, 409 or 429. */
export async function confirmFrom(
  services: SenderContext,
  workspaceId: string,
  id: string,
): Promise<{ message: string }> {
  const row = await findSender(services, workspaceId, id)
  if (await isFromAllowed(services, row)) throw conflict('confirmed', 'Its from address needs no confirmation.')
  await askForConfirmation(services, services.db, workspaceId, row.fromEmail)
  return { message: `We sent an email to ${row.fromEmail}. Open the link in it.` }
}

/** Removes a sender no running campaign uses. Throws Refusal 404 or 409. */
export async function removeSender(services: Services, workspaceId: string, id: string): Promise<void> {
  const row = await findSender(services, workspaceId, id)
  if (row.isDefault) throw conflict('default_sender', 'The default sender cannot be removed.')
  await services.db.transaction().execute(async (db) => {
    // Before the tokens are gone with the row; rolled back with it.
    if (row.kind === 'gmail') await queueRevoke(services, db, row)
    if (!(await store.deleteSender(db, workspaceId, id))) throw inUse()
    await audit(db, { action: 'sender_removed', subject: row.name, workspaceId, details: { host: row.host } })
  })
}

const inUse = () =>
  conflict(
    'sender_in_use',
    'A scheduled, sending or paused campaign uses this sender. Give that campaign another sender or cancel it first.',
  )

/** Lets a Gmail account send again that was stopped. Throws Refusal 404 or 409. */
export async function releaseSender(services: SenderContext, workspaceId: string, id: string): Promise<Sender> {
  const row = await findSender(services, workspaceId, id)
  await services.db.transaction().execute(async (db) => {
    if (!(await release(db, workspaceId, id))) throw conflict('not_stopped', 'This sender was not stopped.')
    await audit(db, { action: 'sender_changed', subject: row.name, workspaceId, details: { changed: ['release'] } })
  })
  return showSender(services, workspaceId, id)
}

/** A page of the workspace's senders, the default one first. */
export async function listSenders(
  services: SenderContext,
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
) {
  if (page.cursor !== undefined && !/^[1-9]\d{0,18}$/.test(page.cursor)) throw invalid('cursor', 'is not one of ours')
  const rows = await store.senderPage(services.db, workspaceId, {
    limit: page.limit + 1,
    ...(page.cursor && { after: page.cursor }),
  })
  const shown = rows.slice(0, page.limit)
  return {
    items: await Promise.all(shown.map((row) => presentSender(row, services))),
    nextCursor: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
    total: await store.countSenders(services.db, workspaceId),
  }
}
