import type { z } from 'zod'
import type { NewTemplate, WhatsAppTemplate } from '#contracts/whatsapp-templates.ts'
import type { RawTemplate } from '#server/adapters/whatsapp/api.ts'
import { meaningOf } from '#server/adapters/whatsapp/codes.ts'
import { WhatsAppProblem } from '#server/adapters/whatsapp/problem.ts'
import { invalid, notFound, Refusal } from '#server/platform/http/refusal.ts'
import { type Context, findAccount } from '../accounts/accounts.ts'
import { unreachable } from '../accounts/credentials.ts'
import { needApi, needKeys } from '../accounts/keys.ts'
import { type AccountRow, noteState } from '../accounts/store.ts'
import { pauseForTemplates } from '../webhook/campaigns.ts'
import { placesOf, shapeOf } from './shape.ts'
import * as store from './store.ts'

type New = z.output<typeof NewTemplate>

export function presentTemplate(row: store.TemplateRow): WhatsAppTemplate {
  const { workspaceId: _, metaId: _m, parameterFormat: _p, components: _c, ...rest } = row
  return {
    ...rest,
    sendable: row.status === 'APPROVED',
    ...shapeOf(row),
    syncedAt: row.syncedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  }
}

/** The template's row. Throws Refusal 404. */
export async function findTemplate(
  { db }: Pick<Context, 'db'>,
  workspaceId: string,
  id: string,
): Promise<store.TemplateRow> {
  const row = await store.templateById(db, workspaceId, id)
  if (!row) throw notFound('WhatsApp template')
  return row
}

/** A refusal of Meta in words; what it says about the number is kept with the number. Throws Refusal. */
export async function refuseFor(services: Context, account: AccountRow, error: unknown): Promise<never> {
  if (!(error instanceof WhatsAppProblem)) throw error
  if (error.kind !== 'refused') throw unreachable(error)
  const { action, text } = meaningOf(error.code)
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
export async function syncTemplates(services: Context, workspaceId: string, accountId: string) {
  const account = await findAccount(services, workspaceId, accountId)
  const keys = needKeys(services.config, account)
  const found = await needApi(services)
    .templates(keys, account.businessAccountId)
    .catch((error: unknown) => refuseFor(services, account, error))
  return services.db.transaction().execute(async (db) => {
    const told = await store.replaceTemplates(db, workspaceId, account.businessAccountId, found)
    await pauseForTemplates(db, workspaceId, account.businessAccountId)
    return told
  })
}

export async function listTemplates(
  services: Context,
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined; accountId?: string | undefined; status?: string | undefined },
) {
  if (page.cursor !== undefined && !/^[1-9]\d{0,18}$/.test(page.cursor)) throw invalid('cursor', 'is not one of ours')
  const account = page.accountId ? await findAccount(services, workspaceId, page.accountId) : undefined
  const rows = await store.templatePage(services.db, workspaceId, {
    limit: page.limit + 1,
    ...(page.cursor && { before: page.cursor }),
    ...(account && { businessAccountId: account.businessAccountId }),
    ...(page.status && { status: page.status }),
  })
  const shown = rows.slice(0, page.limit)
  return {
    items: shown.map(presentTemplate),
    nextCursor: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

const isNamed = (places: string[]) => places.some((place) => !/^\d+$/.test(place))

/** Refuses what Meta would refuse after a day of review, while it can be mended at once. */
function checkNew(given: New): void {
  const places = placesOf(given.body)
  const numbered = places.filter((place) => /^\d+$/.test(place))
  if (numbered.length > 0 && isNamed(places))
    throw invalid('body', 'mixes numbered and named places: use one way throughout')
  if (numbered.some((_, at) => !numbered.includes(String(at + 1))))
    throw invalid('body', 'has to number its places 1, 2, 3 without a gap')
  if (/^\s*\{\{|\}\}\s*$/.test(given.body))
    throw invalid('body', 'may not begin or end with a place: put words around it')
  if (/\}\}\s*\{\{/.test(given.body)) throw invalid('body', 'has two places side by side: put words between them')
  const words = given.body
    .replaceAll(/\{\{\s*\w+\s*\}\}/g, '')
    .split(/\s+/)
    .filter(Boolean).length
  if (places.length > 0 && words < places.length * 2 + 1)
    throw invalid('body', 'has too few words for its places: Meta would refuse it')
  const without = places.find((place) => !given.examples[place])
  if (without) throw invalid('examples', `need one for {{${without}}}: Meta’s reviewers read it with examples`)
  if (placesOf(given.footer).length > 0) throw invalid('footer', 'may hold no places')
  const headers = placesOf(given.header?.text ?? '')
  if (headers.length > 1) throw invalid('header', 'may hold one place at most')
  if (headers.length === 1 && !given.header?.example) throw invalid('header', 'needs an example for its place')
  checkButtons(given.buttons)
}

function checkButtons(buttons: New['buttons']): void {
  const kinds = buttons.map(({ type }) => type)
  if (kinds.filter((type) => type === 'url').length > 2) throw invalid('buttons', 'may be two addresses at most')
  if (kinds.filter((type) => type === 'phone').length > 1) throw invalid('buttons', 'may be one phone number at most')
  const first = kinds.indexOf('quick_reply')
  const run = kinds.slice(first, first + kinds.filter((type) => type === 'quick_reply').length)
  if (run.some((type) => type !== 'quick_reply')) throw invalid('buttons', 'that reply have to stand together')
  for (const button of buttons) {
    if (button.type !== 'url') continue
    if (!/^https?:\/\/[^\s{}]+(\{\{1\}\})?$/.test(button.url))
      throw invalid('buttons', 'that lead somewhere need an address, with {{1}} at its very end if it changes')
    if (button.url.includes('{{') && !button.example)
      throw invalid('buttons', 'with a changing address need an example of it')
  }
}

/** What is handed to Meta, as its reference has it. */
function rawOf(given: New): Omit<RawTemplate, 'id' | 'status' | 'reason'> {
  const places = placesOf(given.body)
  const named = isNamed(places)
  const example = (kind: 'body' | 'header', names: string[], filled: (name: string) => string) =>
    named
      ? { [`${kind}_text_named_params`]: names.map((name) => ({ param_name: name, example: filled(name) })) }
      : { [`${kind}_text`]: kind === 'body' ? [names.map(filled)] : names.map(filled) }
  const header = given.header && {
    type: 'HEADER',
    format: 'TEXT',
    text: given.header.text,
    ...(placesOf(given.header.text).length > 0 && {
      example: example('header', placesOf(given.header.text), () => given.header?.example ?? ''),
    }),
  }
  const ordered = named ? places : places.toSorted((a, b) => Number(a) - Number(b))
  const body = {
    type: 'BODY',
    text: given.body,
    ...(places.length > 0 && { example: example('body', ordered, (name) => given.examples[name] ?? '') }),
  }
  const buttons = given.buttons.map((button) => {
    if (button.type === 'quick_reply') return { type: 'QUICK_REPLY', text: button.text }
    if (button.type === 'phone') return { type: 'PHONE_NUMBER', text: button.text, phone_number: button.phone }
    return {
      type: 'URL',
      text: button.text,
      url: button.url,
      ...(button.url.includes('{{') && { example: [button.example] }),
    }
  })
  return {
    name: given.name,
    language: given.language,
    category: given.category,
    parameterFormat: named ? 'NAMED' : 'POSITIONAL',
    components: [
      ...(header ? [header] : []),
      body,
      ...(given.footer ? [{ type: 'FOOTER', text: given.footer }] : []),
      ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons }] : []),
    ],
  }
}

/** Hands a template to Meta and keeps it as it is there: waiting for its review. */
export async function createTemplate(services: Context, workspaceId: string, given: New): Promise<WhatsAppTemplate> {
  checkNew(given)
  const account = await findAccount(services, workspaceId, given.accountId).catch(() => {
    throw invalid('accountId', 'does not name something of yours')
  })
  const api = needApi(services)
  const raw = rawOf(given)
  const { parameterFormat, ...rest } = raw
  const made = await api
    .createTemplate(needKeys(services.config, account), account.businessAccountId, {
      ...rest,
      parameter_format: parameterFormat,
    })
    .catch((error: unknown) => refuseFor(services, account, error))
  const kept = { ...raw, id: made.id, status: made.status, category: made.category || raw.category, reason: '' }
  const id = await store.keepTemplate(services.db, workspaceId, account.businessAccountId, kept)
  return presentTemplate(await findTemplate(services, workspaceId, id))
}

/** Deletes a template at Meta, and here. Throws Refusal 404, 409. */
export async function removeTemplate(services: Context, workspaceId: string, id: string): Promise<void> {
  const row = await findTemplate(services, workspaceId, id)
  const account = await services.db
    .selectFrom('whatsappAccounts')
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
