import { sql } from 'kysely'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { WhatsAppValue } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import { whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import type { Services } from '#server/services.ts'
import type { Person } from './app.ts'
import { until } from './until.ts'

/** A list with these numbers, in international form, inserted straight into the database; all of them agreed to be written to. */
export async function phonesList(
  { db }: Pick<Services, 'db'>,
  { workspaceId }: Pick<Person, 'workspaceId'>,
  phones: string[],
  agreed = true,
): Promise<string> {
  const list = await db
    .insertInto('lists')
    .values({ workspaceId, name: `List of ${phones.length} numbers` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    with added as (
      insert into contacts (workspace_id, phone, name, attributes)
      select ${workspaceId}::bigint, phone, 'Person ' || n, jsonb_build_object('order', 'A-' || n)
      from unnest(${phones}::text[]) with ordinality as given (phone, n) returning id, workspace_id, phone
    ), members as (
      insert into list_members (workspace_id, list_id, contact_id) select workspace_id, ${list.id}::bigint, id from added
    )
    insert into whatsapp_consents (workspace_id, contact_id, phone, how, purpose, given_at)
    select workspace_id, id, phone, 'form', 'orders', now() from added where ${agreed}`.execute(db)
  return list.id
}

/** British mobile numbers nobody has a fate with: +447400 and six digits. */
export const phones = (count: number, first = 1): string[] =>
  Array.from({ length: count }, (_, at) => `+447400${String(first + at).padStart(6, '0')}`)

/** A template of a number once it was read from Meta. */
export function templateNamed(person: Person, accountId: string, name: string) {
  return until(async () => {
    const { items } = await person.api(whatsappTemplates.list, { query: { accountId } })
    return items.find((one) => one.name === name)
  }, `the template ${name}`)
}

/** A draft over WhatsApp, of the template order_update unless told, ready to send. */
export async function whatsAppDraft(
  person: Person,
  accountId: string,
  listIds: string[],
  change: { templateId?: string; variables?: Record<string, WhatsAppValue> } = {},
) {
  const templateId = change.templateId ?? (await templateNamed(person, accountId, 'order_update')).id
  const variables: Record<string, WhatsAppValue> = change.variables ?? {
    'body.1': { from: 'field', field: 'first_name', fallback: 'there' },
    'body.2': { from: 'field', field: 'attributes.order', fallback: '' },
  }
  return person.api(campaigns.create, {
    body: { name: 'Orders', channel: 'whatsapp', listIds, whatsapp: { accountId, templateId, variables } },
  })
}
