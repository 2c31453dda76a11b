import { sql } from 'kysely'
import { hasOptIn, missingVariables } from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CampaignRow } from '../store.ts'
import { contentOf } from './content.ts'
import type { WhatsAppPlan } from './message.ts'

/** The template a campaign was given; undefined: none, or it is gone. */
export async function templateOf(db: Db, workspaceId: string, templateId: string | null) {
  if (templateId === null) return undefined
  return db
    .selectFrom('whatsappTemplates')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', templateId)
    .select(['name', 'language', 'category', 'status', 'reason', 'parameterFormat', 'components', 'businessAccountId'])
    .executeTakeFirst()
}

/** What is frozen when a WhatsApp campaign starts, or why nothing can be sent, in words. */
export async function whatsAppPlanOf(db: Db, campaign: CampaignRow): Promise<WhatsAppPlan | string> {
  const { accountId, templateId, variables } = contentOf(campaign.whatsapp)
  const template = await templateOf(db, campaign.workspaceId, templateId)
  if (accountId === null || templateId === null || !template) return 'Its WhatsApp number or its template is gone.'
  const { status, reason, businessAccountId: _, ...kept } = template
  if (status !== 'APPROVED')
    return `Meta’s word on the template “${kept.name}” is ${status}${reason ? ` (${reason})` : ''}, and only approved ones may be sent.`
  const given = Object.fromEntries(Object.keys(variables).map((key) => [key, 'x']))
  const missing = missingVariables(kept, given)
  if (missing.length > 0) return `The template changed, and nothing fills ${missing.join(', ')}.`
  return { version: 1, accountId, templateId, template: kept, variables }
}

/** Members of lists who can be reached over WhatsApp, each number once, and those who agreed to it first. */
const people = (workspaceId: string, lists: ReturnType<typeof sql>) => sql`
  select distinct on (c.phone) c.*, ${hasOptIn('c')} as agreed, s.reason as barred
  from contacts c
  left join suppressions s on s.workspace_id = c.workspace_id and s.channel = 'whatsapp' and s.address_key = c.phone
  where c.workspace_id = ${workspaceId} and c.phone is not null and c.id in (
    select contact_id from list_members where workspace_id = ${workspaceId} and status = 'confirmed' and list_id in (${lists}))
  order by c.phone, agreed desc, c.id`

/**
 * Every confirmed member of the campaign's lists with a phone number, each number once; who opted out, and who never
 * agreed to be written to over WhatsApp, are written down as such.
 */
export async function writeWhatsAppAudience(db: Db, workspaceId: string, campaignId: string): Promise<void> {
  const lists = sql`select list_id from campaign_lists where campaign_id = ${campaignId}`
  await sql`
    insert into messages (workspace_id, campaign_id, contact_id, address, state, reason, due_at)
    select p.workspace_id, ${campaignId}, p.id, p.phone, case when p.barred is null and p.agreed then 'queued' else 'suppressed' end,
      coalesce(p.barred, case when p.agreed then '' else 'no_opt_in' end), case when p.barred is null and p.agreed then now() end
    from (${people(workspaceId, lists)}) p order by p.id
    on conflict (campaign_id, contact_id) do nothing`.execute(db)
}

/** Whether a field of the contact `p` is empty. */
function isEmpty(field: string) {
  if (field === 'name' || field === 'first_name') return sql`coalesce(trim(p.name), '') = ''`
  if (field === 'email') return sql`coalesce(p.email, '') = ''`
  if (field === 'phone') return sql`false`
  return sql`coalesce(trim(p.attributes ->> ${field.slice('attributes.'.length)}), '') = ''`
}

export interface Audience {
  /** Members with a number, each number once. */
  people: number
  optedOut: number
  withoutOptIn: number
  /** Members without a number. */
  withoutPhone: number
  /** Of those it goes to: numbers of the United States and Canada. */
  american: number
  /** How many of those it goes to have nothing in each of the fields. */
  empty: number[]
}

/** Who of the lists would get it, and what they lack. */
export async function countWhatsAppAudience(
  db: Db,
  workspaceId: string,
  listIds: string[],
  fields: string[],
): Promise<Audience> {
  const lists = sql`select unnest(${listIds}::bigint[])`
  const goes = sql`p.barred is null and p.agreed`
  const empty = fields.map((field) => sql`count(*) filter (where ${goes} and ${isEmpty(field)})`)
  const { rows } = await sql<Omit<Audience, 'empty'> & { empty: string[] }>`
    select count(*)::int as people, count(p.barred)::int as opted_out, count(*) filter (where p.barred is null and not p.agreed)::int as without_opt_in,
      (select count(*)::int from contacts c where c.workspace_id = ${workspaceId} and c.phone is null and c.id in (
        select contact_id from list_members where workspace_id = ${workspaceId} and status = 'confirmed' and list_id in (${lists}))) as without_phone,
      count(*) filter (where ${goes} and p.phone like '+1%')::int as american,
      array[${empty.length > 0 ? sql.join(empty) : sql``}]::bigint[] as empty
    from (${people(workspaceId, lists)}) p`.execute(db)
  const row = rows[0]
  return {
    people: row?.people ?? 0,
    optedOut: row?.optedOut ?? 0,
    withoutOptIn: row?.withoutOptIn ?? 0,
    withoutPhone: row?.withoutPhone ?? 0,
    american: row?.american ?? 0,
    empty: row?.empty.map(Number) ?? [],
  }
}
