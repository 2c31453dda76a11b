import { sql } from 'kysely'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { SpliceError } from '#server/engine/index.ts'
import { findAccount, findVariables, hasConsent, writeFirst, writeToOwn } from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, invalid } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import type { Trial } from '../channel.ts'
import { buildWhatsAppPlan } from './launch.ts'
import { messageFor, type Person, type WhatsAppPlan } from './message.ts'

type Contact = Person & { id: string; bsuid: string | null }

/** Whose number it is: of several contacts with one number the one that agreed. */
async function findPerson(db: Db, workspaceId: string, phone: string): Promise<Contact | undefined> {
  const { rows } = await sql<Contact>`
    select c.id, c.name, coalesce(c.email, '') as email, c.phone, c.bsuid, c.attributes from contacts c
    where c.workspace_id = ${workspaceId} and c.phone = ${phone} order by ${hasConsent(workspaceId)} desc, c.id limit 1`.execute(
    db,
  )
  return rows[0]
}

function buildOutgoing(plan: WhatsAppPlan, person: Person) {
  try {
    const { name, category } = plan.template
    return {
      ...messageFor(plan, person),
      kind: 'template' as const,
      templateName: name,
      category: category.toLowerCase(),
    }
  } catch (error) {
    if (error instanceof SpliceError) throw conflict('not_ready', error.message)
    throw error
  }
}

/** Somebody of whom nothing is known: what only contacts have is filled with Meta's example, or with a word. */
function asExample(plan: WhatsAppPlan, phone: string): { plan: WhatsAppPlan; person: Person } {
  const examples = new Map(findVariables(plan.template).map(({ key, example }) => [key, example]))
  const variables = Object.fromEntries(
    Object.entries(plan.variables).map(([key, value]) => [
      key,
      value.from === 'field' ? { ...value, fallback: value.fallback || examples.get(key) || 'Example' } : value,
    ]),
  )
  const person = { name: 'Robin Example', email: 'robin@example.com', phone, attributes: {} }
  return { plan: { ...plan, variables }, person }
}

/**
 * Sends the campaign's template to the number of a contact who agreed, with their own values, or (`own`) to a number the
 * caller says is theirs. It is a message like any other: a template cannot say that it is a test. It counts in the month and
 * not in the campaign, and a contact's stands in their conversation. Throws Refusal 400, 402, 409 and 429.
 */
export async function testWhatsApp(
  services: Services,
  caller: Caller,
  campaign: CampaignRow,
  { to, step, own: isOwn }: Trial,
): Promise<{ ok: boolean; message: string; response: string }> {
  const { db } = services
  const { workspaceId } = caller
  if (step !== 1) throw invalid('step', 'does not exist in this campaign')
  const number = parsePhoneNumberFromString(to)
  if (!number?.isValid()) throw invalid('to', 'is not a phone number with its country, such as +44 7400 123456')
  const plan = await buildWhatsAppPlan(db, campaign)
  if (typeof plan === 'string') throw conflict('not_ready', plan)
  const account = await findAccount(services, workspaceId, plan.accountId)
  const phone = number.number
  const person = await findPerson(db, workspaceId, phone)
  if (!person && !isOwn)
    throw conflict(
      'no_consent',
      `No contact has the number ${phone}. If it is your own, say so. Otherwise add a contact, record their consent for WhatsApp, then send the test.`,
    )
  const example = asExample(plan, phone)
  const outgoing = () => buildOutgoing(isOwn ? example.plan : plan, person ?? example.person)
  const messageId =
    isOwn || !person
      ? await writeToOwn(services, caller, account, phone, outgoing)
      : (await writeFirst(services, caller, account, person, outgoing)).messageId
  const { status, errorText } = await db
    .selectFrom('whatsappMessages')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', messageId)
    .select(['status', 'errorText'])
    .executeTakeFirstOrThrow()
  const ok = status !== 'failed' && status !== 'unconfirmed'
  return { ok, message: ok ? `Sent to ${phone}.` : errorText, response: ok ? 'WhatsApp accepted it.' : '' }
}
