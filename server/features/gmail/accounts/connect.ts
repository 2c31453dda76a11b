import { z } from 'zod'
import { isPaid } from '#contracts/billing/plans.ts'
import { type GmailRefusal, gmailDailyCap, gmailPerMinute } from '#contracts/gmail/gmail.ts'
import {
  beginConsent,
  type ConsentProblem,
  finishConsent,
  type Grant,
  READ_SCOPE,
  revokeGrant,
  SEND_SCOPE,
} from '#server/adapters/google/consent.ts'
import { newAttempt } from '#server/adapters/google/sign-in.ts'
import { requireRoomForSender } from '#server/features/billing/index.ts'
import {
  insertSender,
  newSlowStart,
  type SenderContext,
  type SenderRow,
  setWorking,
  updateSender,
} from '#server/features/senders/index.ts'
import { type AuditPerson, audit } from '#server/platform/audit.ts'
import { decrypt, encrypt, hashToken } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, notFound, Refusal } from '#server/platform/http/refusal.ts'
import { job } from '#server/platform/queue.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { tokenContext } from './access.ts'
import type { ConnectAttempt } from './attempt.ts'
import { findGoogleClient, redirectUri, requireGmailChannel } from './setup.ts'
import * as store from './store.ts'

/** A connection that did not come about; `message` is for the log only. */
export class ConnectRefused extends Error {
  readonly code: GmailRefusal
  constructor(code: GmailRefusal, reason: string) {
    super(reason)
    this.name = 'ConnectRefused'
    this.code = code
  }
}

/** Where to lead the browser, and what it has to bring back. Throws Refusal 404, 409 or 502. */
export async function beginConnect(
  services: Services,
  caller: Caller,
  given: { reads: boolean; senderId?: string | undefined },
): Promise<{ url: string; attempt: ConnectAttempt }> {
  requireGmailChannel(services)
  const { db } = services
  const { workspaceId, userId } = caller
  const client = await findGoogleClient(services, db, workspaceId)
  if (!client)
    throw conflict(
      'no_client',
      'Enter the client id and secret of your Google console first: this installation has none.',
    )
  const email = given.senderId && (await store.addressOfGrant(db, workspaceId, given.senderId))
  if (given.senderId && email === undefined) throw notFound('Gmail account')
  const keys = newAttempt()
  try {
    const url = await beginConsent(client, redirectUri(services), keys, { reads: given.reads, email })
    return { url: url.href, attempt: { ...keys, workspaceId, userId, senderId: given.senderId ?? null } }
  } catch (error) {
    services.log.warn({ reason: (error as Error).message }, 'connecting Gmail could not begin')
    throw new Refusal(502, 'google_unreachable', 'Google could not be reached. Nothing was changed. Try again.')
  }
}

/** From the query the browser returned with to a connected sender's id. Throws ConnectRefused. */
export async function finishConnect(
  services: Services,
  attempt: ConnectAttempt | undefined,
  state: unknown,
  search: string,
): Promise<string> {
  const { db, log } = services
  if (!attempt || state !== attempt.state)
    throw new ConnectRefused('not_begun_here', 'it was not begun in this browser, or too long ago')
  const first = await throttle(db, `gmail:${hashToken(attempt.state)}`, 1, 3_600)
  if (!first.ok) throw new ConnectRefused('not_begun_here', 'it returned twice')
  const actor = await stillAllowed(db, attempt)
  const client = await findGoogleClient(services, db, attempt.workspaceId)
  if (!client) throw new ConnectRefused('client_refused', 'the client was removed meanwhile')
  const grant = await finishConsent(client, redirectUri(services), search, attempt).catch((error: ConsentProblem) => {
    const codes = { denied: 'access_denied', client: 'client_refused', revoked: 'failed', failed: 'failed' } as const
    throw new ConnectRefused(codes[error.kind] ?? 'failed', error.message)
  })
  try {
    await checkGrant(db, attempt, grant)
    return await keepGrant(services, attempt, actor, client, grant)
  } catch (error) {
    // Nothing of it is stored, so no permission stays open at Google.
    const token = grant.refreshToken ?? grant.accessToken
    await revokeGrant(client, token).catch((error: Error) => log.warn({ reason: error.message }, 'not revoked'))
    throw error
  }
}

/** Who connects. Ten minutes are long enough for an account to be suspended or to lose its plan. */
async function stillAllowed(db: Db, { userId, workspaceId }: ConnectAttempt): Promise<AuditPerson> {
  const user = await db
    .selectFrom('users')
    .where('id', '=', userId)
    .where('workspaceId', '=', workspaceId)
    .where('suspendedAt', 'is', null)
    .select(['id', 'email', 'plan'])
    .executeTakeFirst()
  if (!user || !isPaid(user.plan)) throw new ConnectRefused('not_begun_here', 'the account may not connect any more')
  return { id: user.id, email: user.email }
}

async function checkGrant(db: Db, { workspaceId, senderId }: ConnectAttempt, grant: Grant): Promise<void> {
  if (!grant.scopes.includes(SEND_SCOPE)) throw new ConnectRefused('missing_scope', 'gmail.send was not granted')
  if (!grant.refreshToken) throw new ConnectRefused('no_refresh_token', 'no refresh token came')
  if (senderId && (await store.senderOfSubject(db, workspaceId, grant.subject)) !== senderId)
    throw new ConnectRefused('wrong_account', 'another account than the one to be reconnected')
}

/** Keeps the tokens, sealed, with a new sender or the one this account had. */
async function keepGrant(
  services: Services,
  { workspaceId, userId }: ConnectAttempt,
  actor: AuditPerson,
  client: { clientId: string; own: boolean },
  grant: Grant,
): Promise<string> {
  const { secretKey } = services.config
  const account = grant.isWorkspace ? ('workspace' as const) : ('consumer' as const)
  return services.db.transaction().execute(async (db) => {
    const known = await store.senderOfSubject(db, workspaceId, grant.subject)
    const senderId = known ?? (await addSender(services, db, workspaceId, userId, grant.email, account))
    const fields = {
      access: 'oauth' as const,
      subject: grant.subject,
      account,
      clientId: client.clientId,
      ownClient: client.own,
      scopes: grant.scopes,
      refreshEncrypted: encrypt(secretKey, grant.refreshToken ?? '', tokenContext(senderId, 'refresh')),
      accessEncrypted: encrypt(secretKey, grant.accessToken, tokenContext(senderId, 'access')),
      accessUntil: grant.accessUntil,
      refreshUntil: grant.refreshUntil,
    }
    if (known) {
      await store.updateAccount(db, workspaceId, senderId, fields, true)
      await updateSender(db, workspaceId, senderId, { fromEmail: grant.email })
    } else await store.insertAccount(db, workspaceId, senderId, fields)
    await setWorking(db, workspaceId, senderId, 'Connected.')
    await audit(db, {
      action: known ? 'sender_changed' : 'sender_added',
      // The request comes from Google's page, without a token.
      actor,
      subject: grant.email,
      workspaceId,
      details: { gmail: 'oauth', reads: grant.scopes.includes(READ_SCOPE) },
    })
    return senderId
  })
}

async function addSender(
  services: Services,
  db: Db,
  workspaceId: string,
  userId: string,
  email: string,
  account: 'consumer' | 'workspace',
): Promise<string> {
  await requireRoomForSender(services, db, workspaceId).catch((error: Error) => {
    throw error instanceof Refusal ? new ConnectRefused('no_room', error.message) : error
  })
  const user = await db.selectFrom('users').where('id', '=', userId).select('name').executeTakeFirst()
  return insertSender(
    db,
    workspaceId,
    {
      kind: 'gmail',
      name: email,
      fromName: user?.name ?? '',
      fromEmail: email,
      perMinute: gmailPerMinute.default,
      perDay: gmailDailyCap[account],
      connections: 1,
      ...newSlowStart(true),
    },
    () => null,
  )
}

const RevokePayload = z.object({
  workspaceId: z.string(),
  senderId: z.string(),
  clientId: z.string(),
  sealed: z.string(),
})
const revokeJob = job('senders.revoke', RevokePayload, { retries: 8 })

/** Ends the permission at Google with the transaction that removes the account; tried again until Google responds. */
export async function queueRevoke(services: Pick<SenderContext, 'queue'>, db: Db, row: SenderRow): Promise<void> {
  const tokens = await store.findTokens(db, row.id)
  if (!tokens?.refreshEncrypted || !tokens.clientId || tokens.revokedAt) return
  await services.queue.enqueue(
    revokeJob,
    {
      workspaceId: row.workspaceId,
      senderId: row.id,
      clientId: tokens.clientId,
      sealed: tokens.refreshEncrypted,
    },
    { db },
  )
}

/** Registers the job that ends permissions at Google. */
export async function handleRevocations(services: Services): Promise<void> {
  await services.queue.handle(revokeJob, async ({ workspaceId, senderId, clientId, sealed }) => {
    const client = await findGoogleClient(services, services.db, workspaceId)
    // Without its client nobody can end it, and nobody can use it either.
    if (!client || client.clientId !== clientId) return
    await revokeGrant(client, decrypt(services.config.secretKey, sealed, tokenContext(senderId, 'refresh')))
  })
}
