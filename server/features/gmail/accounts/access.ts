import { setTimeout as wait } from 'node:timers/promises'
import { ConsentProblem, refreshAccess } from '#server/adapters/google/consent.ts'
import type { GmailAccess } from '#server/adapters/google/gmail-connection.ts'
import type { SenderServices } from '#server/features/senders/index.ts'
import { decrypt, encrypt } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { findGoogleClient } from './setup.ts'
import * as store from './store.ts'

/** The context a token of an account is bound to. */
export const tokenContext = (senderId: string, kind: 'refresh' | 'access') => `gmail ${kind}:${senderId}`

/** An access token, with its sealed form to name it by. */
export interface Access {
  token: string
  sealed: string
}

/** Asked for ahead of time, so that no message waits for it. */
const AHEAD_MS = 5 * 60_000
/** With so little left it cannot be used any more. */
const LEAST_MS = 20_000
const TURN_SECONDS = 20
const POLL_INTERVAL_MS = 200
/** Requests of this thread that are under way, by sender. */
const asking = new Map<string, Promise<Access>>()

export const REVOKED =
  'Google has ended the permission to send: it was revoked or has expired, or the password was changed. Connect the account again.'

/**
 * A token that opens Gmail for an account. One about to end is renewed ahead of time, by one at a time over all workers;
 * nobody holds the database meanwhile. Throws ConsentProblem: `revoked` and `client` need the person, `failed` time.
 */
export async function findAccess(services: SenderServices, db: Db, senderId: string): Promise<Access> {
  const row = await requireTokens(db, senderId)
  if (row.left > AHEAD_MS && row.accessEncrypted) return open(services, senderId, row.accessEncrypted)
  const renewing = asking.get(senderId) ?? renew(services, db, senderId).finally(() => asking.delete(senderId))
  asking.set(senderId, renewing)
  // A token that still works is used while Google cannot be asked for the next one.
  return renewing.catch((error) => {
    const usable = error instanceof ConsentProblem && error.kind === 'failed' && row.left > LEAST_MS
    if (usable && row.accessEncrypted) return open(services, senderId, row.accessEncrypted)
    throw error
  })
}

async function requireTokens(db: Db, senderId: string): Promise<store.TokenRow> {
  const row = await store.findTokens(db, senderId)
  if (!row) throw new ConsentProblem('revoked', 'The account was disconnected.')
  if (row.revokedAt) throw new ConsentProblem('revoked', REVOKED)
  return row
}

function open({ config }: SenderServices, senderId: string, sealed: string): Access {
  try {
    return { token: decrypt(config.secretKey, sealed, tokenContext(senderId, 'access')), sealed }
  } catch {
    throw new ConsentProblem('client', SECRET_CHANGED)
  }
}

const SECRET_CHANGED =
  'The stored permission can no longer be read, because SECRET_KEY changed. Connect the account again.'

/** Asks Google, or waits for the call that does. */
async function renew(services: SenderServices, db: Db, senderId: string): Promise<Access> {
  const deadline = Date.now() + TURN_SECONDS * 1_000
  while (!(await store.takeTurn(db, senderId, TURN_SECONDS))) {
    const row = await requireTokens(db, senderId)
    if (row.left > AHEAD_MS && row.accessEncrypted) return open(services, senderId, row.accessEncrypted)
    if (Date.now() > deadline) throw new ConsentProblem('failed', 'Another process does not come to an end with it.')
    await wait(POLL_INTERVAL_MS)
  }
  // Looked at again with the turn in hand: somebody may have renewed it a moment ago.
  const row = await requireTokens(db, senderId)
  if (row.left > AHEAD_MS && row.accessEncrypted) {
    await store.endTurn(db, senderId, row.connectedAt, {})
    return open(services, senderId, row.accessEncrypted)
  }
  try {
    return await ask(services, db, senderId, row)
  } catch (error) {
    const isOver = error instanceof ConsentProblem && error.kind === 'revoked'
    await store.endTurn(db, senderId, row.connectedAt, isOver ? { revokedAt: new Date() } : {})
    throw isOver ? new ConsentProblem('revoked', REVOKED) : error
  }
}

async function ask(services: SenderServices, db: Db, senderId: string, row: store.TokenRow): Promise<Access> {
  const { secretKey } = services.config
  const client = await findGoogleClient(services, db, row.workspaceId)
  if (!client || client.clientId !== row.clientId)
    throw new ConsentProblem(
      'client',
      'The account was connected with another client of Google’s console than the one entered now. Connect it again.',
    )
  const refreshToken = openRefresh(secretKey, senderId, row.refreshEncrypted ?? '')
  const fresh = await refreshAccess(client, refreshToken)
  const sealed = encrypt(secretKey, fresh.accessToken, tokenContext(senderId, 'access'))
  await store.endTurn(db, senderId, row.connectedAt, {
    accessEncrypted: sealed,
    accessUntil: fresh.accessUntil,
    ...(fresh.scopes.length > 0 && { scopes: fresh.scopes }),
    ...(fresh.refreshToken && {
      refreshEncrypted: encrypt(secretKey, fresh.refreshToken, tokenContext(senderId, 'refresh')),
    }),
  })
  return { token: fresh.accessToken, sealed }
}

function openRefresh(secretKey: string, senderId: string, sealed: string): string {
  try {
    return decrypt(secretKey, sealed, tokenContext(senderId, 'refresh'))
  } catch {
    throw new ConsentProblem('client', SECRET_CHANGED)
  }
}

/** Gmail's API as an account opens it: with a token that works, and how to say that one was refused before its time. */
export function openAccess(services: SenderServices, db: Db, senderId: string): GmailAccess {
  let sealed = ''
  return {
    async token() {
      const access = await findAccess(services, db, senderId)
      sealed = access.sealed
      return access.token
    },
    refused: () => store.forgetAccess(db, senderId, sealed),
  }
}
