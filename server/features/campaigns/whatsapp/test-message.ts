import { sql } from 'kysely'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { type AttributeValue, SpliceError } from '#server/engine/index.ts'
import { findAccount, hasOptIn, writeFirst } from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, invalid } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import type { CampaignRow } from '../store.ts'
import { whatsAppPlanOf } from './launch.ts'
import { messageFor, type Person, type WhatsAppPlan } from './message.ts'

/** Whose number it is: of several contacts with one number the one that agreed. */
async function personOf(db: Db, workspaceId: string, phone: string): Promise<(Person & { id: string }) | undefined> {
  const { rows } = await sql<Omit<Person, 'attributes'> & { id: string; attributes: Record<string, AttributeValue> }>`
    select c.id, c.name, coalesce(c.email, '') as email, c.phone, c.attributes from contacts c
    where c.workspace_id = ${workspaceId} and c.phone = ${phone} order by ${hasOptIn('c')} desc, c.id limit 1`.execute(
    db,
  )
  return rows[0]
}

function outgoingOf(plan: WhatsAppPlan, person: Person) {
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

/**
 * Sends the campaign's template to the number of a contact who agreed, with his own values. It is a message like any
 * other: a template cannot say that it is a test. It is in the contact's conversation, counts in the month, and not in
 * the campaign. Throws Refusal 400 and 409.
 */
export async function testWhatsApp(
  services: Services,
  caller: Caller,
  campaign: CampaignRow,
  to: string,
): Promise<{ ok: boolean; message: string; response: string }> {
  const { db } = services
  const { workspaceId } = caller
  const number = parsePhoneNumberFromString(to)
  if (!number?.isValid()) throw invalid('to', 'is not a phone number with its country, such as +44 7400 123456')
  const plan = await whatsAppPlanOf(db, campaign)
  if (typeof plan === 'string') throw conflict('not_ready', plan)
  const account = await findAccount(services, workspaceId, plan.accountId)
  const phone = number.number
  const person = await personOf(db, workspaceId, phone)
  if (!person)
    throw conflict(
      'no_opt_in',
      `No contact has the number ${phone}. Add one and record that it may be written to on WhatsApp, then send the test.`,
    )
  const { messageId } = await writeFirst(services, caller, account, { id: person.id, phone }, () =>
    outgoingOf(plan, person),
  )
  const { status, errorText } = await db
    .selectFrom('whatsappMessages')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', messageId)
    .select(['status', 'errorText'])
    .executeTakeFirstOrThrow()
  const ok = status !== 'failed' && status !== 'unconfirmed'
  return { ok, message: ok ? `Sent to ${phone}.` : errorText, response: ok ? 'WhatsApp took it.' : '' }
}
