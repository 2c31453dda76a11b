import type { LookupFunction } from 'node:net'
import { connect, parseAddress, planLimit, type SmtpOptions } from '#server/engine/index.ts'
import { requireRoomForSender } from '#server/features/billing/index.ts'
import { audit } from '#server/platform/audit.ts'
import {
  canonicalHost,
  EgressError,
  type EgressRules,
  publicLookup,
  resolvePublicAll,
} from '#server/platform/egress.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { ehloNameFor, openPassword, operatorSmtp, poolKey, sealPassword, UnusableSender } from './credentials.ts'
import { askForConfirmation, isFromAllowed } from './from-address.ts'
import { toPlan } from './ramp/plan.ts'
import { writeReceiverLimits } from './receivers/paces.ts'
import type {
  CommonAccount,
  KindSender,
  NewSender,
  Saved,
  SenderChange,
  SenderContext,
  SenderKind,
  SenderServices,
  SendingAccount,
} from './sender-kind.ts'
import * as store from './store.ts'
import { limitTries } from './test-limits.ts'

type NewServer = Extract<NewSender, { kind?: 'smtp' }>

const NOT_CONFIGURED = 'Not configured: SMTP_URL is not set, so there is no mail server to send with.'

/** How to reach a sender's server. Throws UnusableSender. */
function smtpOptions(services: SenderServices, row: store.SenderRow): SmtpOptions {
  const { smtpUrl, sandbox } = services
  if (row.isDefault && smtpUrl)
    return { ...operatorSmtp(smtpUrl), ehloName: ehloNameFor(services, row.workspaceId, sandbox) }
  if (row.isDefault) throw new UnusableSender(NOT_CONFIGURED)
  const { secretKey, allowPrivate, dnsServers } = services.config
  const [host, port] = [row.host ?? '', row.port ?? 587]
  const password = openPassword(secretKey, row)
  return {
    host: host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''),
    port,
    secure: (row.secure ?? 'starttls') as SmtpOptions['secure'],
    auth: row.username ? { user: row.username, password } : null,
    ehloName: ehloNameFor(services, row.workspaceId, false),
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

function openServer(services: SenderServices, row: store.SenderRow, common: CommonAccount): SendingAccount {
  const smtp = smtpOptions(services, row)
  const { host, port, secure, auth } = smtp
  return {
    ...common,
    kind: 'smtp',
    smtp,
    connect: (habits, timeouts) => connect({ ...smtp, ...(timeouts && { timeouts }) }, habits),
    key: poolKey(row.id, host, port, secure, auth),
    dayLimit: planLimit(common.perDay, toPlan(row), Date.now()),
  }
}

/** Refuses a server that is not public. Returns why its name cannot be found, should that be so: a name may come to life later. */
async function checkHost({ config }: SenderContext, host: string, port: number): Promise<string | undefined> {
  try {
    await resolvePublicAll(host, port, { allow: config.allowPrivate, dnsServers: config.dnsServers })
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

const toSecurity = (secure: NewServer['secure']): 'tls' | 'starttls' | 'none' =>
  secure === true ? 'tls' : secure === false ? 'none' : secure

function checkFrom(fromEmail: string | undefined): void {
  if (fromEmail !== undefined && !parseAddress(fromEmail)) throw invalid('fromEmail', 'is not an email address')
}

async function createServer(services: SenderContext, workspaceId: string, given: NewServer) {
  checkFrom(given.fromEmail)
  await limitTries(services, workspaceId)
  const problem = await checkHost(services, given.host, given.port)
  const { host, port, fromName, fromEmail, limits = {}, user, password, receiverLimits } = given
  const fields = {
    name: given.name || host,
    host,
    port,
    secure: toSecurity(given.secure),
    username: user || null,
    fromName,
    fromEmail,
    ...limits,
  }
  const seal = (id: string) => (password ? sealPassword(services.config.secretKey, id, password) : null)
  const id = await services.db.transaction().execute(async (db) => {
    await requireRoomForSender(services, db, workspaceId)
    await audit(db, { action: 'sender_added', subject: fields.name, workspaceId, details: { host, user: user ?? '' } })
    const id = await store.insertSender(db, workspaceId, fields, seal)
    if (receiverLimits) await writeReceiverLimits(db, workspaceId, id, receiverLimits)
    return id
  })
  return { id, problem }
}

const CONNECTION = ['host', 'port', 'secure', 'user', 'password'] as const

function checkChange(row: store.SenderRow, given: SenderChange): void {
  checkFrom(given.fromEmail)
  if (row.isDefault) {
    const fixed = ([...CONNECTION, 'name'] as const).find((field) => given[field] !== undefined)
    if (fixed)
      throw invalid(fixed, 'of the default sender is set by the operator (SMTP_URL) and cannot be changed here')
  }
  const moves = given.host !== undefined && row.host !== null && requireHost(given.host) !== requireHost(row.host)
  // Otherwise the holder of a session could have the stored password sent to a server of their own.
  if (moves && row.passwordEncrypted !== null && given.password === undefined) {
    throw invalid('password', 'is required again when the server changes')
  }
}

function requireHost(host: string): string {
  try {
    return canonicalHost(host)
  } catch {
    throw invalid('host', 'is not a host name or address')
  }
}

async function changeServer(services: SenderContext, row: store.SenderRow, given: SenderChange): Promise<Saved> {
  checkChange(row, given)
  const { id, workspaceId } = row
  const reconnects = CONNECTION.some((field) => given[field] !== undefined)
  let problem: string | undefined
  if (reconnects) {
    await limitTries(services, workspaceId)
    problem = await checkHost(services, given.host ?? row.host ?? '', given.port ?? row.port ?? 0)
  }
  const { user, password, secure, limits = {}, receiverLimits, rampUp: _, reads: __, ...plain } = given
  const fields: store.SenderFields = { ...plain, ...limits }
  if (secure !== undefined) fields.secure = toSecurity(secure)
  if (user !== undefined) fields.username = user || null
  if (password !== undefined)
    fields.passwordEncrypted = password ? sealPassword(services.config.secretKey, id, password) : null
  if (user === '') fields.passwordEncrypted = null
  await services.db.transaction().execute(async (db) => {
    await store.updateSender(db, workspaceId, id, fields)
    if (receiverLimits) await writeReceiverLimits(db, workspaceId, id, receiverLimits)
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
  return { reconnects, problem }
}

const kindSender = (services: SenderServices, row: store.SenderRow): KindSender => ({
  missing: row.isDefault && services.smtpUrl === undefined ? NOT_CONFIGURED : undefined,
  present: () => ({ kind: 'smtp', gmail: null }),
  open: (common) => openServer(services, row, common),
  change: (context, given) => changeServer(context, row, given),
})

/** A mail server: one that a workspace names, or the installation's own (SMTP_URL). */
export const smtp: SenderKind = {
  id: 'smtp',
  label: 'The mail server',
  senders: 'mail servers',
  fields: ['receiverLimits'],
  create: (services, workspaceId, given: NewServer) => createServer(services, workspaceId, given),
  read: async (services, _db, _workspaceId, rows) => new Map(rows.map((row) => [row.id, kindSender(services, row)])),
}
