import { type RawBuilder, sql } from 'kysely'
import type { Exclusion } from '#contracts/campaigns/check.ts'
import { isSampleContact } from '#server/features/contacts/index.ts'
import { hasConsent } from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Reach } from '../../sending/claims.ts'

/**
 * Why one who can be reached gets none of a kind of template, in a word of a message's `reason`; null: they get it. Of the
 * contact `c` with `barred`, the reason they are suppressed for.
 */
export const caseObstacle = (category: string | undefined, barred: RawBuilder<unknown>) => sql<string | null>`case
  when ${barred} is not null then ${barred}
  when not ${hasConsent('c')} then 'no_consent'
  when not ${hasConsent('c', category)} then 'other_purpose'
  ${category?.toLowerCase() === 'authentication' ? sql`when c.phone is null then 'needs_number'` : sql``} end`

/** Whom a template of a category reaches: contacts with a number or scoped id whose consent covers it. */
export const whatsAppReach = (category: string): Reach => ({
  address: sql`coalesce(c.phone, c.bsuid)`,
  keys: sql`c.phone, c.bsuid`,
  suppressed: 'whatsapp',
  obstacles: sql`when not ${hasConsent('c')} then 'no_consent'
      when not ${hasConsent('c', category)} then 'other_purpose'
      ${category.toLowerCase() === 'authentication' ? sql`when c.phone is null then 'needs_number'` : sql``}`,
})

/** Members of lists who can be reached over WhatsApp, each number or scoped id once, and those who would get it first; no sample contacts. */
const people = (workspaceId: string, lists: RawBuilder<unknown>, category: string | undefined) => sql`
  select distinct on (coalesce(c.phone, c.bsuid)) c.*, coalesce(c.phone, c.bsuid) as address, why.obstacle
  from contacts c
  left join lateral (select reason from suppressions where workspace_id = ${workspaceId} and channel = 'whatsapp'
    and address_key in (c.phone, c.bsuid) limit 1) s on true
  cross join lateral (select ${caseObstacle(category, sql`s.reason`)} as obstacle) why
  where c.workspace_id = ${workspaceId} and coalesce(c.phone, c.bsuid) is not null and not ${isSampleContact} and c.id in (
    select contact_id from list_members where workspace_id = ${workspaceId} and status = 'confirmed' and list_id in (${lists}))
  order by coalesce(c.phone, c.bsuid), why.obstacle nulls first, c.id`

/**
 * Every confirmed member of the campaign's lists WhatsApp can reach, each once; who opted out, and whose consent does not
 * cover this kind of template, are written down as such.
 */
export async function writeWhatsAppAudience(
  db: Db,
  workspaceId: string,
  campaignId: string,
  category: string,
): Promise<void> {
  const lists = sql`select list_id from campaign_lists where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`
  await sql`
    insert into messages (workspace_id, campaign_id, contact_id, address, state, reason, due_at)
    select p.workspace_id, ${campaignId}, p.id, p.address, case when p.obstacle is null then 'queued' else 'suppressed' end,
      coalesce(p.obstacle, ''), case when p.obstacle is null then now() end
    from (${people(workspaceId, lists, category)}) p order by p.id
    on conflict (workspace_id, campaign_id, contact_id) do nothing`.execute(db)
}

/** Whether a field of the contact `p` is empty. */
function isEmpty(field: string) {
  if (field === 'name' || field === 'first_name') return sql`coalesce(trim(p.name), '') = ''`
  if (field === 'email') return sql`coalesce(p.email, '') = ''`
  if (field === 'phone') return sql`p.phone is null`
  return sql`coalesce(trim(p.attributes ->> ${field.slice('attributes.'.length)}), '') = ''`
}

export interface Audience {
  /** Members WhatsApp can reach, each number or scoped id once, and how many of them would get it. */
  people: number
  recipients: number
  excluded: Exclusion[]
  /** Sample contacts on the lists, who are in no other figure. */
  samples: number
  /** Of those it goes to: numbers of the United States and Canada, and scoped ids of the former. */
  american: number
  /** How many of those it goes to have nothing in each of the fields. */
  empty: number[]
}

const OBSTACLES: Record<string, Exclusion['reason']> = {
  unsubscribe: 'opted_out',
  complaint: 'opted_out',
  no_consent: 'no_consent',
  other_purpose: 'other_purpose',
  needs_number: 'needs_number',
}

function countExclusions(obstacles: Record<string, number>, withoutPhone: number, samples: number): Exclusion[] {
  const left = new Map<Exclusion['reason'], number>()
  if (withoutPhone > 0) left.set('no_phone', withoutPhone)
  if (samples > 0) left.set('sample', samples)
  for (const [obstacle, count] of Object.entries(obstacles)) {
    const reason = OBSTACLES[obstacle] ?? 'unreachable'
    left.set(reason, (left.get(reason) ?? 0) + count)
  }
  return [...left].map(([reason, people]) => ({ reason, people })).toSorted((a, b) => b.people - a.people)
}

/** Who of the lists would get a template of a category, why others do not, and what they lack. */
export async function countWhatsAppAudience(
  db: Db,
  workspaceId: string,
  listIds: string[],
  fields: string[],
  category?: string,
): Promise<Audience> {
  const lists = sql`select unnest(${listIds}::bigint[])`
  const empty = fields.map((field) => sql`count(*) filter (where p.obstacle is null and ${isEmpty(field)})`)
  const { rows } = await sql<{
    people: number
    recipients: number
    withoutPhone: number
    samples: number
    american: number
    empty: string[]
    obstacles: Record<string, number>
  }>`
    with p as materialized (${people(workspaceId, lists, category)})
    select count(*)::int as people, count(*) filter (where p.obstacle is null)::int as recipients,
      (select count(*)::int from contacts c where c.workspace_id = ${workspaceId} and coalesce(c.phone, c.bsuid) is null and not ${isSampleContact}
        and c.id in (select contact_id from list_members where workspace_id = ${workspaceId} and status = 'confirmed' and list_id in (${lists}))) as without_phone,
      (select count(*)::int from contacts c where c.workspace_id = ${workspaceId} and ${isSampleContact}
        and c.id in (select contact_id from list_members where workspace_id = ${workspaceId} and status = 'confirmed' and list_id in (${lists}))) as samples,
      count(*) filter (where p.obstacle is null and (p.phone like '+1%' or p.phone is null and p.bsuid like 'US.%'))::int as american,
      array[${empty.length > 0 ? sql.join(empty) : sql``}]::bigint[] as empty,
      (select coalesce(jsonb_object_agg(obstacle, n), '{}') from (
        select obstacle, count(*)::int as n from p where obstacle is not null group by 1) o) as obstacles
    from p`.execute(db)
  const row = rows[0]
  return {
    people: row?.people ?? 0,
    recipients: row?.recipients ?? 0,
    excluded: countExclusions(row?.obstacles ?? {}, row?.withoutPhone ?? 0, row?.samples ?? 0),
    samples: row?.samples ?? 0,
    american: row?.american ?? 0,
    empty: row?.empty.map(Number) ?? [],
  }
}
