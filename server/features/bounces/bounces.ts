import { type BounceMailbox, type BounceSource, type bounceSources, inbound } from '#contracts/bounces/bounces.ts'
import type { Checked } from '#contracts/endpoint.ts'
import { limitTries } from '#server/features/senders/index.ts'
import { audit } from '#server/platform/audit.ts'
import { decrypt, encrypt, randomToken } from '#server/platform/crypto.ts'
import { EgressError, resolvePublic } from '#server/platform/egress.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, invalid, notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { buildFeedbackAddress } from './feedback-address.ts'
import { MailboxProblem } from './mailbox/connection.ts'
import { tryFolder } from './mailbox/mailboxes.ts'
import { isWebhook, providers } from './providers/index.ts'
import * as store from './store.ts'

export type BounceContext = Pick<Services, 'db' | 'config'>
type NewSource = Checked<typeof bounceSources.create>['body']

const MAX_SOURCES = 20

export const labels: Record<BounceSource['kind'], string> = {
  ses: 'Amazon SES',
  sendgrid: 'SendGrid',
  postmark: 'Postmark',
  mailgun: 'Mailgun',
  generic: 'Webhook',
  listener: 'Return path',
  imap: 'Mailbox',
}

/** The context a stored secret is bound to. */
export const secretContext = (id: string) => `bounce-source:${id}`

/** What requests of a source are signed with; undefined: it can no longer be read, because SECRET_KEY changed. */
export function openSecret(config: BounceContext['config'], row: store.SourceRow): string | undefined {
  try {
    return decrypt(config.secretKey, row.secretEncrypted, secretContext(row.id))
  } catch {
    return undefined
  }
}

function present({ config }: BounceContext, row: store.SourceRow): BounceSource {
  const path = inbound.receive.path.replace(':kind', row.kind).replace(':sourceId', row.id)
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    mailbox: presentMailbox(row),
    topicArn: row.kind === 'ses' ? (openSecret(config, row) ?? null) : null,
    state: row.trouble ? 'failing' : row.receivedAt === null ? 'waiting' : 'receiving',
    stateText: describeState(config, row),
    webhookUrl: isWebhook(row.kind) ? `${config.publicUrl}${path}` : null,
    address: row.kind === 'listener' ? buildFeedbackAddress(config, row.id) : null,
    receivedAt: row.receivedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

function describeState(config: BounceContext['config'], row: store.SourceRow): string {
  if (row.kind === 'listener') {
    if (!config.bounceSmtp) return 'The operator of this installation has turned the listener off.'
    return row.receivedAt === null ? 'No bounce has been returned yet.' : 'Bounces are received.'
  }
  if (row.trouble) return row.trouble
  if (row.kind === 'imap') return row.receivedAt === null ? 'No bounce has come yet.' : 'Bounces are received.'
  if (openSecret(config, row) === undefined)
    return 'The stored key can no longer be read, because SECRET_KEY changed. Delete this source and add it again.'
  return row.receivedAt === null
    ? 'No event with a valid signature has come yet.'
    : 'Events are received and their signatures are valid.'
}

function presentMailbox(row: store.SourceRow): BounceSource['mailbox'] {
  if (row.kind !== 'imap') return null
  const { host, port, secure, user, folder } = store.readMailbox(row)
  return { host, port, secure, user, folder }
}

/** A bounce source. Throws Refusal 404. */
export async function showSource(context: BounceContext, workspaceId: string, id: string): Promise<BounceSource> {
  const row = await store.sourceById(context.db, workspaceId, id)
  if (!row) throw notFound('Bounce source')
  return present(context, row)
}

/** A page of the workspace's bounce sources. */
export async function listSources(
  context: BounceContext,
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
) {
  const rows = await store.sourcePage(context.db, workspaceId, { limit: page.limit + 1, after: page.cursor })
  const { items, nextCursor } = takePage(rows, page.limit)
  return { items: items.map((row) => present(context, row)), nextCursor }
}

/** Adds a source, with a secret where its service has none of its own. Throws Refusal 400 or 409. */
export async function addSource(context: BounceContext, workspaceId: string, given: NewSource) {
  const { kind } = given
  const key = readKey(kind, given)
  const makesSecret = checkKey(context, kind, key)
  const mailbox = await checkMailbox(context.config, given)
  const secret = given.password ?? key ?? randomToken()
  const name = given.name || labels[kind]
  const id = await context.db.transaction().execute(async (db) => {
    await store.lockSources(db, workspaceId)
    const { length } = await store.sourcePage(db, workspaceId, { limit: MAX_SOURCES })
    if (length >= MAX_SOURCES)
      throw conflict('too_many_sources', `A workspace has at most ${MAX_SOURCES} bounce sources. Delete one first.`)
    const seal = (id: string) => encrypt(context.config.secretKey, secret, secretContext(id))
    const id = await store.insertSource(db, workspaceId, { kind, name }, seal)
    if (mailbox) await store.setMailbox(db, workspaceId, id, mailbox)
    await audit(db, { action: 'bounce_source_added', subject: name, workspaceId, details: { kind } })
    return id
  })
  return { ...(await showSource(context, workspaceId, id)), secret: makesSecret ? secret : null }
}

/** What a source is known by, under the name its kind has for it. Throws Refusal 400 for a name of another kind. */
export function readKey(
  kind: BounceSource['kind'],
  { key, topicArn }: Pick<NewSource, 'key' | 'topicArn'>,
): string | undefined {
  if (kind === 'ses' && key !== undefined) throw invalid('key', 'is not needed for this kind: give its topicArn')
  if (kind !== 'ses' && topicArn !== undefined) throw invalid('topicArn', 'is for Amazon SES (ses) only')
  return kind === 'ses' ? topicArn : key
}

/** Whether a secret is made here and shown once. Throws Refusal 400 or 409. */
export function checkKey({ config }: BounceContext, kind: BounceSource['kind'], key: string | undefined): boolean {
  if (!isWebhook(kind)) {
    if (key !== undefined) throw invalid('key', 'is not needed for this kind: omit it')
    if (kind === 'listener' && !config.bounceSmtp)
      throw conflict(
        'not_configured',
        'This installation does not listen for bounces. The operator can turn it on with BOUNCE_SMTP_PORT.',
      )
    return false
  }
  const { makesSecret, refuseKey } = providers[kind]
  if (makesSecret && key !== undefined) throw invalid('key', 'is made here for this kind: omit it')
  const field = kind === 'ses' ? 'topicArn' : 'key'
  if (!makesSecret && !key) throw invalid(field, `is required: copy it from the settings of ${labels[kind]}`)
  const problem = key && refuseKey?.(key)
  if (problem) throw invalid(field, problem)
  return makesSecret
}

export const MAILBOX_FIELDS = ['host', 'port', 'secure', 'user', 'password', 'folder'] as const

/** The mailbox of a new source; undefined: its kind has none. Throws Refusal 400. */
export async function checkMailbox(
  config: BounceContext['config'],
  given: Omit<NewSource, 'name' | 'key' | 'topicArn'>,
): Promise<BounceMailbox | undefined> {
  if (given.kind !== 'imap') {
    const stray = MAILBOX_FIELDS.find((field) => given[field] !== undefined)
    if (stray) throw invalid(stray, 'is for mailboxes (imap) only')
    return undefined
  }
  const { host, user, password, secure = 'tls', folder = 'INBOX' } = given
  if (host === undefined) throw invalid('host', 'is required')
  if (user === undefined) throw invalid('user', 'is required')
  if (password === undefined) throw invalid('password', 'is required')
  const port = given.port ?? (secure === 'tls' ? 993 : 143)
  await resolvePublic(host, port, { allow: config.allowPrivate, dnsServers: config.dnsServers }).catch((error) => {
    if (!(error instanceof EgressError)) throw error
    throw invalid('host', error.kind === 'private' ? 'is not on the public internet' : 'was not found')
  })
  return { host, port, secure, user, folder }
}

/** Opens the folder of a mailbox, and says what is wrong. Throws Refusal 429. */
async function tryMailbox(context: BounceContext, workspaceId: string, id: string) {
  await limitTries(context, workspaceId)
  const row = await store.sourceById(context.db, workspaceId, id)
  const password = row && openSecret(context.config, row)
  if (!row || password === undefined) throw notFound('Bounce source')
  const mailbox = store.readMailbox(row)
  try {
    await tryFolder(context.config, { workspaceId, mailbox, password })
    return { ok: true, message: `The folder ${mailbox.folder} was opened. Bounces in it are read every minute.` }
  } catch (error) {
    if (!(error instanceof MailboxProblem)) throw error
    return { ok: false, message: error.message }
  }
}

/** Whether a source has received anything with a valid signature, and a sentence about it. Throws Refusal 404. */
export async function testSource(context: BounceContext, workspaceId: string, id: string) {
  const { state, stateText, kind } = await showSource(context, workspaceId, id)
  if (kind === 'imap') return tryMailbox(context, workspaceId, id)
  const isAsked = state === 'waiting' && isWebhook(kind) && kind !== 'generic'
  const advice = isAsked ? ` Send a test event in the settings of ${labels[kind]}.` : ''
  return { ok: state === 'receiving', message: `${stateText}${advice}` }
}

/** Deletes a source. Throws Refusal 404. */
export async function removeSource({ db }: BounceContext, workspaceId: string, id: string): Promise<void> {
  await db.transaction().execute(async (db) => {
    const name = await store.deleteSource(db, workspaceId, id)
    if (name === undefined) throw notFound('Bounce source')
    await audit(db, { action: 'bounce_source_removed', subject: name, workspaceId })
  })
}
