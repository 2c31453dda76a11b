import { randomBytes } from 'node:crypto'
import { isAtOrBelow } from '#contracts/email-address.ts'
import type { LoopbackCheck, LoopbackStatus } from '#contracts/senders/loopback.ts'
import { parseAddress } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, invalid, notFound, tooMany, unknownId } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { openAccount } from '../../connection.ts'
import { UnusableSender } from '../../credentials.ts'
import { isFromAllowed, unconfirmedText } from '../../from-address.ts'
import { senderById } from '../../store.ts'
import { domainById } from '../store.ts'
import { findArrivalHost } from './email.ts'
import { presentCheck } from './present.ts'
import { queueEmail } from './sending.ts'
import * as store from './store.ts'

type LoopbackContext = Pick<Services, 'db' | 'config' | 'smtpUrl' | 'sandbox' | 'gmail' | 'queue'>

const HOUR = 3_600
const CHECKS_AN_HOUR = 5
/** Of all domains of a workspace: a mail server that never responds keeps what sends them for minutes. */
const CHECKS_OF_WORKSPACE = 20

/** How the last real email of a domain arrived, and whether one can be sent. Throws Refusal 404. */
export async function showLoopback(
  context: LoopbackContext,
  workspaceId: string,
  domainId: string,
): Promise<LoopbackStatus> {
  const { db } = context
  if (!(await domainById(db, workspaceId, domainId))) throw notFound('Sending domain')
  const row = await store.checkByDomain(db, workspaceId, domainId)
  const host = findArrivalHost(context, { isDefault: true }) ?? null
  return { host, check: row ? presentCheck(context.config, row) : null }
}

/**
 * Sends a real email of a domain to an address of this installation that nobody can choose. The domain's state does not depend on
 * it. Throws Refusal 400, 404, 409 or 429.
 */
export async function startLoopback(
  context: LoopbackContext,
  workspaceId: string,
  domainId: string,
  senderId: string,
): Promise<LoopbackCheck> {
  const { db } = context
  const domain = await domainById(db, workspaceId, domainId)
  if (!domain) throw notFound('Sending domain')
  const { fromEmail, host } = await requireSender(context, workspaceId, senderId, domain.domain)
  const row = await db.transaction().execute(async (db) => {
    if (!(await domainById(db, workspaceId, domainId, { lock: true }))) throw notFound('Sending domain')
    await requireTurn(db, workspaceId, domain)
    const nonce = randomBytes(16).toString('hex')
    const id = await store.replaceCheck(db, { workspaceId, domainId, senderId, fromAddress: fromEmail, host, nonce })
    await queueEmail(context, db, { workspaceId, id })
    return (await store.checkById(db, id)) as store.LoopbackRow
  })
  return presentCheck(context.config, row)
}

/** A mail server that sends as the domain and whose emails arrive here. */
async function requireSender(
  context: LoopbackContext,
  workspaceId: string,
  senderId: string,
  domain: string,
): Promise<{ fromEmail: string; host: string }> {
  const row = await senderById(context.db, workspaceId, senderId)
  if (!row) throw unknownId('senderId')
  const account = await openAccount(context, context.db, row).catch((error) => {
    throw error instanceof UnusableSender ? conflict('no_sender', error.message) : error
  })
  if (account.signsItself)
    throw invalid('senderId', 'is not a mail server: Gmail sends and signs by itself. Choose a mail server')
  const from = parseAddress(account.fromEmail)
  if (!from || !isAtOrBelow(from.domain, domain)) throw invalid('senderId', `does not send from ${domain}`)
  if (!(await isFromAllowed(context, { ...account, workspaceId })))
    throw conflict('from_unconfirmed', unconfirmedText(account.fromEmail))
  const host = findArrivalHost(context, account)
  if (host === undefined)
    throw conflict(
      'not_configured',
      'This installation does not listen for email. The operator can turn it on with BOUNCE_SMTP_PORT.',
    )
  return { fromEmail: account.fromEmail, host }
}

async function requireTurn(db: Db, workspaceId: string, { id, domain }: { id: string; domain: string }): Promise<void> {
  const last = await store.checkByDomain(db, workspaceId, id)
  if (last?.isOpen)
    throw conflict('check_running', 'An email of this domain is on its way. Wait until it arrives, 15 minutes at most.')
  // By its name: one that is removed and added again is the same domain.
  const tries = await throttle(db, `loopback:${domain}:${workspaceId}`, CHECKS_AN_HOUR, HOUR)
  if (!tries.ok)
    throw tooMany(`A domain is checked with ${CHECKS_AN_HOUR} emails an hour at most. Try again later.`, tries.wait)
  const all = await throttle(db, `loopback-all:${workspaceId}`, CHECKS_OF_WORKSPACE, HOUR)
  if (!all.ok)
    throw tooMany(`Domains are checked with ${CHECKS_OF_WORKSPACE} emails an hour at most. Try again later.`, all.wait)
}
