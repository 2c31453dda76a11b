import type { WhatsAppTemplate } from '#contracts/whatsapp/templates.ts'
import { findCodeMeaning } from '#server/adapters/whatsapp/codes.ts'
import { WhatsAppProblem } from '#server/adapters/whatsapp/problem.ts'
import { takePage } from '#server/platform/http/page.ts'
import { notFound, Refusal, unknownId } from '#server/platform/http/refusal.ts'
import { campaignsPart } from '../campaigns-part.ts'
import { unreachable } from '../numbers/credentials.ts'
import { needApi, needKeys } from '../numbers/keys.ts'
import { findAccount, type WhatsAppServices } from '../numbers/numbers.ts'
import { type AccountRow, noteState } from '../numbers/store.ts'
import { checkNew, type TemplateInput, toRawTemplate } from './new-template.ts'
import { buildShape } from './shape.ts'
import * as store from './store.ts'

export function presentTemplate(row: store.TemplateRow): WhatsAppTemplate {
  const { workspaceId: _, metaId: _m, parameterFormat: _p, components: _c, ...rest } = row
  return {
    ...rest,
    quality: row.quality as WhatsAppTemplate['quality'],
    sendable: row.status === 'APPROVED',
    ...buildShape(row),
    syncedAt: row.syncedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  }
}

/** The template's row. Throws Refusal 404. */
export async function findTemplate(
  { db }: Pick<WhatsAppServices, 'db'>,
  workspaceId: string,
  id: string,
): Promise<store.TemplateRow> {
  const row = await store.templateById(db, workspaceId, id)
  if (!row) throw notFound('WhatsApp template')
  return row
}

/** A refusal of Meta in words; what it says about the number is stored with the number. Throws Refusal. */
export async function refuseFor(services: WhatsAppServices, account: AccountRow, error: unknown): Promise<never> {
  if (!(error instanceof WhatsAppProblem)) throw error
  if (error.kind !== 'refused') throw unreachable(error)
  const { action, text } = findCodeMeaning(error.code)
  if (action === 'reconnect') await noteState(services.db, account.workspaceId, account.id, 'reconnect', text)
  if (action === 'slow') throw new Refusal(429, 'too_many_requests', text, { retryAfter: 60 })
  const said = error.details || error.message
  throw new Refusal(
    409,
    action === 'reconnect' ? 'reconnect' : 'refused_by_meta',
    action === 'fail' ? `Meta says: ${said}` : `${text} Meta says: ${said}`,
  )
}

/** Reads all templates of an account's business from Meta. */
export async function syncTemplates(services: WhatsAppServices, workspaceId: string, accountId: string) {
  const account = await findAccount(services, workspaceId, accountId)
  const keys = needKeys(services.config, account)
  const askedAt = await store.databaseTime(services.db)
  const found = await needApi(services)
    .templates(keys, account.businessAccountId)
    .catch((error: unknown) => refuseFor(services, account, error))
  return services.db.transaction().execute(async (db) => {
    const told = await store.replaceTemplates(db, workspaceId, account.businessAccountId, { found, askedAt })
    await campaignsPart().pauseForTemplates(db, workspaceId, account.businessAccountId)
    return told
  })
}

export async function listTemplates(
  services: WhatsAppServices,
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined; accountId?: string | undefined; status?: string | undefined },
) {
  const account = page.accountId ? await findAccount(services, workspaceId, page.accountId) : undefined
  const rows = await store.templatePage(services.db, workspaceId, {
    limit: page.limit + 1,
    ...(page.cursor && { before: page.cursor }),
    ...(account && { businessAccountId: account.businessAccountId }),
    ...(page.status && { status: page.status }),
  })
  const { items: shown, nextCursor } = takePage(rows, page.limit)
  return {
    items: shown.map(presentTemplate),
    nextCursor,
  }
}

/** Hands a template to Meta and keeps it as it is there: waiting for its review. */
export async function createTemplate(
  services: WhatsAppServices,
  workspaceId: string,
  given: TemplateInput,
): Promise<WhatsAppTemplate> {
  checkNew(given)
  const account = await findAccount(services, workspaceId, given.accountId).catch(() => {
    throw unknownId('accountId')
  })
  const api = needApi(services)
  const raw = toRawTemplate(given)
  const { parameterFormat, ...rest } = raw
  const made = await api
    .createTemplate(needKeys(services.config, account), account.businessAccountId, {
      ...rest,
      parameter_format: parameterFormat,
    })
    .catch((error: unknown) => refuseFor(services, account, error))
  const kept = {
    ...raw,
    id: made.id,
    status: made.status,
    category: made.category || raw.category,
    reason: '',
    quality: '',
  }
  const id = await store.keepTemplate(services.db, workspaceId, account.businessAccountId, kept)
  return presentTemplate(await findTemplate(services, workspaceId, id))
}

/** Deletes a template at Meta, and here. Throws Refusal 404, 409. */
export async function removeTemplate(services: WhatsAppServices, workspaceId: string, id: string): Promise<void> {
  const row = await findTemplate(services, workspaceId, id)
  const account = await services.db
    .selectFrom('whatsappNumbers')
    .where('workspaceId', '=', workspaceId)
    .where('businessAccountId', '=', row.businessAccountId)
    .select('id')
    .executeTakeFirst()
  if (account) {
    const found = await findAccount(services, workspaceId, account.id)
    await needApi(services)
      .removeTemplate(needKeys(services.config, found), row.businessAccountId, row.name, row.metaId)
      .catch((error: unknown) => refuseFor(services, found, error))
  }
  await store.deleteTemplate(services.db, workspaceId, id)
}
