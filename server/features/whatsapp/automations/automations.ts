import type { z } from 'zod'
import { isTimeZone } from '#contracts/time-zone.ts'
import type { Automation, AutomationRules, whatsappAutomations } from '#contracts/whatsapp/automations.ts'
import { takePage } from '#server/platform/http/page.ts'
import { invalid, notFound, unknownId } from '#server/platform/http/refusal.ts'
import { findAccount, type WhatsAppServices } from '../numbers/numbers.ts'
import * as store from './store.ts'

type NewAutomation = z.output<typeof whatsappAutomations.create.body>
type AutomationChange = z.output<typeof whatsappAutomations.update.body>
type Base = Pick<WhatsAppServices, 'db'>

const present = (row: store.AutomationRow): Automation => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Refuses what could never answer, or would answer nothing. */
function checkRules(kind: Automation['kind'], rules: AutomationRules): void {
  if (rules.hours && !isTimeZone(rules.hours.timeZone))
    throw invalid('rules.hours.timeZone', 'is not a time zone such as Europe/Berlin')
  if (kind === 'keyword' && rules.keywords.length === 0)
    throw invalid('rules.keywords', 'are required: which words does it reply to?')
  if (kind === 'away' && !rules.hours) throw invalid('rules.hours', 'are required: when are you away?')
  if (!rules.reply && rules.questions.length === 0 && !rules.handOver)
    throw invalid('rules.reply', 'is required: the automation has nothing to reply')
  if (rules.buttons.length > 0 && !rules.reply)
    throw invalid('rules.reply', 'is required: buttons need a text above them')
  if (rules.buttons.length > 0 && rules.reply.length > 1_024)
    throw invalid('rules.reply', 'has at most 1,024 characters when it has buttons')
  if (new Set(rules.buttons).size < rules.buttons.length) throw invalid('rules.buttons', 'must be different')
  rules.questions.forEach(({ expects, choices }, at) => {
    if (expects === 'choice' && choices.length < 2)
      throw invalid(`rules.questions.${at}.choices`, 'must be at least two')
    if (new Set(choices).size < choices.length) throw invalid(`rules.questions.${at}.choices`, 'must be different')
  })
}

/** The automation's row. Throws Refusal 404. */
async function find({ db }: Base, workspaceId: string, id: string): Promise<store.AutomationRow> {
  const row = await store.automationById(db, workspaceId, id)
  if (!row) throw notFound('Automation')
  return row
}

export const showAutomation = async (services: Base, workspaceId: string, id: string) =>
  present(await find(services, workspaceId, id))

export async function listAutomations(
  { db }: Base,
  workspaceId: string,
  page: { limit: number; cursor?: number | undefined; accountId?: string | undefined },
) {
  const skip = page.cursor ?? 0
  const rows = await store.automationPage(db, workspaceId, { limit: page.limit + 1, skip, accountId: page.accountId })
  const { items, nextCursor } = takePage(rows, page.limit, () => String(skip + page.limit))
  return { items: items.map(present), nextCursor }
}

export async function createAutomation(services: Base, workspaceId: string, given: NewAutomation): Promise<Automation> {
  await findAccount(services, workspaceId, given.accountId).catch(() => {
    throw unknownId('accountId')
  })
  checkRules(given.kind, given.rules)
  return showAutomation(services, workspaceId, await store.insertAutomation(services.db, workspaceId, given))
}

export async function changeAutomation(
  services: Base,
  workspaceId: string,
  id: string,
  given: AutomationChange,
): Promise<Automation> {
  const row = await find(services, workspaceId, id)
  if (given.rules) checkRules(row.kind, given.rules)
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  await store.updateAutomation(services.db, workspaceId, id, set)
  return showAutomation(services, workspaceId, id)
}

export async function removeAutomation({ db }: Base, workspaceId: string, id: string): Promise<void> {
  if (!(await store.deleteAutomation(db, workspaceId, id))) throw notFound('Automation')
}
