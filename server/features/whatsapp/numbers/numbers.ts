import type { z } from 'zod'
import type { WhatsAppNumber, whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { WhatsAppProblem } from '#server/adapters/whatsapp/problem.ts'
import { audit } from '#server/platform/audit.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, invalid, notFound, Refusal, tooMany } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { type Credentials, toStoredFacts, tryCredentials } from './credentials.ts'
import { buildCallback, needApi, openKeys, sealKeys } from './keys.ts'
import { reachedBy } from './portfolio.ts'
import * as store from './store.ts'

export type WhatsAppServices = Pick<Services, 'db' | 'config' | 'whatsapp' | 'queue' | 'log'>
type NewNumber = z.output<typeof whatsappNumbers.create.body>
type NumberChange = z.output<typeof whatsappNumbers.update.body>

const TRIES_AN_HOUR = 200

async function limitTries({ db }: WhatsAppServices, workspaceId: string): Promise<void> {
  const { ok, wait } = await throttle(db, `whatsapp-try:${workspaceId}`, TRIES_AN_HOUR, 3_600)
  if (!ok) throw tooMany('Too many tries with WhatsApp in the last hour. Wait a few minutes, then try again.', wait)
}

/** An account as the outside sees it: neither its token nor its secret. */
export function presentAccount(
  { config }: WhatsAppServices,
  row: store.AccountRow,
  used: Map<string, number>,
): WhatsAppNumber {
  const { url, verifyToken } = buildCallback(config, row.workspaceId)
  const isLocked = openKeys(config, row) === undefined
  return {
    id: row.id,
    name: row.name || row.verifiedName,
    phoneNumberId: row.phoneNumberId,
    businessAccountId: row.businessAccountId,
    displayPhone: row.displayPhone,
    verifiedName: row.verifiedName,
    quality: row.quality as WhatsAppNumber['quality'],
    tier: row.tier,
    dailyLimit: row.dailyLimit,
    usedToday: used.get(row.portfolioId) ?? 0,
    perSecond: row.perSecond,
    state: isLocked ? 'reconnect' : (row.state as WhatsAppNumber['state']),
    stateText: isLocked
      ? 'The stored token can no longer be read, because SECRET_KEY changed. Enter the token and the secret again.'
      : row.stateText,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    webhook: { url, verifyToken, subscribed: row.subscribed, lastAt: row.webhookAt?.toISOString() ?? null },
    templatesAt: row.templatesAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

/** The account's row. Throws Refusal 404. */
export async function findAccount(
  { db }: Pick<WhatsAppServices, 'db'>,
  workspaceId: string,
  id: string,
): Promise<store.AccountRow> {
  const row = await store.accountById(db, workspaceId, id)
  if (!row) throw notFound('WhatsApp number')
  return row
}

export async function showAccount(
  services: WhatsAppServices,
  workspaceId: string,
  id: string,
): Promise<WhatsAppNumber> {
  const row = await findAccount(services, workspaceId, id)
  return presentAccount(services, row, await reachedBy(services.db, [row.portfolioId]))
}

/** A page of the workspace's numbers, and whether there is WhatsApp here at all. */
export async function listAccounts(
  services: WhatsAppServices & Pick<Services, 'config'>,
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
) {
  const rows = await store.accountPage(services.db, workspaceId, {
    limit: page.limit + 1,
    ...(page.cursor && { after: page.cursor }),
  })
  const { items: shown, nextCursor } = takePage(rows, page.limit)
  const used = await reachedBy(services.db, [...new Set(shown.map((row) => row.portfolioId))])
  return {
    items: shown.map((row) => presentAccount(services, row, used)),
    nextCursor,
    configured: services.whatsapp !== undefined,
    sandbox: services.whatsapp !== undefined && services.config.whatsappApiUrl === undefined,
  }
}

/** Tries every value; keeps nothing. */
export async function checkCredentials(services: WhatsAppServices, workspaceId: string, given: Credentials) {
  const api = needApi(services)
  await limitTries(services, workspaceId)
  const { checks, facts } = await tryCredentials(api, given)
  return {
    ok: facts !== undefined,
    checks,
    displayPhone: facts?.displayPhone ?? '',
    verifiedName: facts?.verifiedName ?? '',
  }
}

async function needFacts(services: WhatsAppServices, given: Credentials) {
  const { checks, facts } = await tryCredentials(needApi(services), given)
  if (facts) return facts
  const wrong = checks.filter(({ ok }) => ok === false)
  throw new Refusal(400, 'invalid', wrong[0]?.message ?? 'A value is incorrect.', {
    details: wrong.map(({ field, message }) => ({ field, message })),
  })
}

/** Asks Meta to bring webhooks here. Where it cannot, the number works on and its page says what to enter by hand. */
async function subscribe(services: WhatsAppServices, row: store.AccountRow): Promise<boolean> {
  const keys = openKeys(services.config, row)
  if (!keys) return false
  try {
    await needApi(services).subscribe(keys, row.businessAccountId, buildCallback(services.config, row.workspaceId))
    return true
  } catch (error) {
    if (!(error instanceof WhatsAppProblem)) throw error
    services.log.info({ accountId: row.id, code: error.code }, 'WhatsApp did not take the webhook’s address')
    return false
  }
}

/** Connects a number whose values are all right. Throws Refusal 400 that names the wrong ones, 409, 502. */
export async function createAccount(
  services: WhatsAppServices,
  workspaceId: string,
  given: NewNumber,
): Promise<WhatsAppNumber> {
  needApi(services)
  await limitTries(services, workspaceId)
  const { portfolioId, ...facts } = await needFacts(services, given)
  const { phoneNumberId, businessAccountId, accessToken, appSecret } = given
  const fields = {
    name: given.name ?? '',
    phoneNumberId,
    businessAccountId,
    portfolioId,
    ...toStoredFacts(facts),
    checkedAt: new Date(),
  }
  const id = await services.db.transaction().execute(async (db) => {
    const id = await store.insertAccount(db, workspaceId, fields, (id) =>
      sealKeys(services.config, id, { accessToken, appSecret }),
    )
    if (id === undefined) throw conflict('already_connected', 'This number is already connected.')
    await audit(db, {
      action: 'whatsapp_added',
      subject: facts.displayPhone,
      workspaceId,
      details: { phoneNumberId, businessAccountId },
    })
    return id
  })
  await noteSubscription(services, workspaceId, id)
  return showAccount(services, workspaceId, id)
}

async function noteSubscription(services: WhatsAppServices, workspaceId: string, id: string): Promise<void> {
  const subscribed = await subscribe(services, await findAccount(services, workspaceId, id))
  await store.updateAccount(services.db, workspaceId, id, { subscribed })
}

/** Renames a number, or gives it new credentials, which have to be right for it. */
export async function changeAccount(
  services: WhatsAppServices,
  workspaceId: string,
  id: string,
  { name, accessToken, appSecret }: NumberChange,
): Promise<WhatsAppNumber> {
  const row = await findAccount(services, workspaceId, id)
  if (accessToken !== undefined || appSecret !== undefined) {
    await limitTries(services, workspaceId)
    const old = openKeys(services.config, row)
    const missing = !old && (accessToken === undefined ? 'accessToken' : appSecret === undefined && 'appSecret')
    if (missing) throw invalid(missing, 'is required too: the stored one can no longer be read')
    const keys = { accessToken: accessToken ?? old?.accessToken ?? '', appSecret: appSecret ?? old?.appSecret ?? '' }
    const { phoneNumberId, businessAccountId } = row
    const { portfolioId, ...facts } = await needFacts(services, { phoneNumberId, businessAccountId, ...keys })
    await services.db.transaction().execute(async (db) => {
      const sealed = sealKeys(services.config, id, keys)
      const fresh = { portfolioId, ...toStoredFacts(facts), state: 'working', stateText: '', checkedAt: new Date() }
      await store.updateAccount(db, workspaceId, id, { ...sealed, ...fresh })
      const changed = [
        ...(accessToken === undefined ? [] : ['accessToken']),
        ...(appSecret === undefined ? [] : ['appSecret']),
      ]
      await audit(db, { action: 'whatsapp_changed', subject: row.displayPhone, workspaceId, details: { changed } })
    })
    await noteSubscription(services, workspaceId, id)
  }
  if (name !== undefined) await store.updateAccount(services.db, workspaceId, id, { name })
  return showAccount(services, workspaceId, id)
}

/** Asks Meta again what it says of the number. What is wrong is told by its state, not by a refusal. */
export async function refreshAccount(
  services: WhatsAppServices,
  workspaceId: string,
  id: string,
): Promise<WhatsAppNumber> {
  const row = await findAccount(services, workspaceId, id)
  needApi(services)
  await limitTries(services, workspaceId)
  const keys = openKeys(services.config, row)
  if (keys) {
    const { phoneNumberId, businessAccountId } = row
    const { checks, facts } = await tryCredentials(needApi(services), { phoneNumberId, businessAccountId, ...keys })
    const wrong = checks.find(({ ok }) => ok === false)
    if (facts) {
      const { portfolioId, ...rest } = facts
      const working = { state: 'working', stateText: '', checkedAt: new Date() }
      await store.updateAccount(services.db, workspaceId, id, { portfolioId, ...toStoredFacts(rest), ...working })
      await noteSubscription(services, workspaceId, id)
    } else {
      const state = wrong?.field === 'accessToken' || wrong?.field === 'appSecret' ? 'reconnect' : 'failing'
      await store.noteState(services.db, workspaceId, id, state, wrong?.message ?? '')
    }
  }
  return showAccount(services, workspaceId, id)
}

/** Disconnects a number. Throws Refusal 404. */
export async function removeAccount({ db }: WhatsAppServices, workspaceId: string, id: string): Promise<void> {
  const row = await findAccount({ db }, workspaceId, id)
  await db.transaction().execute(async (db) => {
    if (!(await store.deleteAccount(db, workspaceId, id))) throw notFound('WhatsApp number')
    await audit(db, { action: 'whatsapp_removed', subject: row.displayPhone, workspaceId })
  })
}
