import { type RawBuilder, sql } from 'kysely'
import type { Exclusion } from '#contracts/campaigns/check.ts'
import {
  type ContactRange,
  contactStanding,
  isAmong,
  isSampleContact,
  isWithin,
} from '#server/features/contacts/index.ts'
import { hasConsent } from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Audience } from '../../audience/audience.ts'
import type { Reach } from '../../sending/claims.ts'

/**
 * Why one who can be reached gets none of a kind of template, in a word of a message's `reason`; null: they get it. Of the
 * contact `c` with `barred`, the reason they are suppressed for.
 */
export const caseObstacle = (workspaceId: string, category: string | undefined, barred: RawBuilder<unknown>) => sql<
  string | null
>`case
  when ${barred} is not null then ${barred}
  when not ${hasConsent(workspaceId)} then 'no_consent'
  when not ${hasConsent(workspaceId, category)} then 'other_purpose'
  ${category?.toLowerCase() === 'authentication' ? sql`when c.phone is null then 'needs_number'` : sql``} end`

// No address is missing: campaigns could not reach the number, or it blocked yours.
const suppressedFor = sql`case when s.reason in ('hard_bounce', 'soft_bounce') then 'no_whatsapp' else s.reason end`

/** Whom a template of a category reaches: contacts with a number or scoped id whose consent covers it. */
export const whatsAppReach = (workspaceId: string, category: string): Reach => ({
  address: sql`coalesce(c.phone, c.bsuid)`,
  keys: sql`c.phone, c.bsuid`,
  suppressed: 'whatsapp',
  suppressedFor,
  obstacles: sql`when not ${hasConsent(workspaceId)} then 'no_consent'
      when not ${hasConsent(workspaceId, category)} then 'other_purpose'
      ${category.toLowerCase() === 'authentication' ? sql`when c.phone is null then 'needs_number'` : sql``}`,
})

/**
 * Everybody of an audience as `found`, with `address` and `obstacle`: why they get nothing, null for those who do. And as `p`
 * those who can be reached over WhatsApp, each number or scoped id once, who would get it first; no sample contacts. A person
 * is excluded under every contact that has their number.
 */
function findPeople(
  { workspaceId, found, excluded, within }: Audience,
  category: string | undefined,
): RawBuilder<unknown> {
  const keys = sql`select key from excluded_keys`
  const isExcluded = sql`${isAmong(sql.ref('c.phone'), keys)} or ${isAmong(sql.ref('c.bsuid'), keys)}`
  // `offset 0`: the obstacle is found once for each row, and not wherever it is named.
  return sql`${excluded ? sql`excluded_keys as materialized (select k.key from contacts c cross join lateral (values (c.phone), (c.bsuid)) k (key) where c.workspace_id = ${workspaceId} and ${isWithin(sql.ref('c.id'), within)} and k.key is not null and ${excluded}),` : sql``}
    found as materialized (
      select c.*, coalesce(c.phone, c.bsuid) as address, coalesce(
        case when ${isSampleContact} then 'sample' when coalesce(c.phone, c.bsuid) is null then 'no_phone' end,
        ${excluded ? sql`case when ${isExcluded} then 'excluded' end,` : sql``}
        ${caseObstacle(workspaceId, category, suppressedFor)},
        case when c.by_segment then ${contactStanding(workspaceId, within)} end) as obstacle
      from ${found} c
      left join lateral (select reason from suppressions where workspace_id = ${workspaceId} and channel = 'whatsapp'
        and address_key in (c.phone, c.bsuid) limit 1) s on true
      offset 0
    ), p as materialized (
      select distinct on (address) * from found where obstacle is null or obstacle not in ('sample', 'no_phone')
      order by address, obstacle nulls first, id
    )`
}

/** The range of a slice, but each phone number with all of its contacts, in the slice that has the first of them. */
async function toWholeNumbers(db: Db, workspaceId: string, { after, until }: ContactRange): Promise<ContactRange> {
  const { rows } = await sql<Required<Pick<ContactRange, 'extra' | 'without'>>>`
    with shared as (
      select own.id as own, other.id as other, bool_or(other.id <= ${after}) over (partition by own.id) as is_earlier
      from contacts own join contacts other on other.workspace_id = own.workspace_id and other.phone = own.phone
      where own.workspace_id = ${workspaceId} and own.id > ${after} and own.id <= ${until} and own.phone is not null
        and (other.id <= ${after} or other.id > ${until})
    )
    select coalesce(array_agg(distinct other::text) filter (where not is_earlier), '{}') as extra,
      coalesce(array_agg(distinct own::text) filter (where is_earlier), '{}') as without from shared`.execute(db)
  return { after, until, ...rows[0] }
}

/**
 * Everybody of an audience, or of a slice of it, WhatsApp can reach, each once; who is excluded, who opted out, and whose consent does not cover this
 * kind of template, are written down as such.
 */
export async function writeWhatsAppAudience(
  db: Db,
  audience: Audience,
  campaignId: string,
  category: string,
): Promise<void> {
  const { workspaceId, within } = audience
  const slice = within ? audience.among(await toWholeNumbers(db, workspaceId, within)) : audience
  await sql`
    with ${findPeople(slice, category)}
    insert into messages (workspace_id, campaign_id, contact_id, address, by_segment, state, reason, due_at)
    select p.workspace_id, ${campaignId}, p.id, p.address, p.by_segment, case when p.obstacle is null then 'queued' else 'suppressed' end,
      coalesce(p.obstacle, ''), case when p.obstacle is null then now() end
    from p order by p.id
    on conflict (workspace_id, campaign_id, contact_id) do nothing`.execute(db)
}

/** Whether a field of the contact `p` is empty. */
function isEmpty(field: string) {
  if (field === 'name') return sql`coalesce(trim(p.name), '') = ''`
  // As it is sent: what is stored as the first name, or else the first word of the name.
  if (field === 'first_name') return sql`trim(concat(p.attributes ->> 'first_name', p.name)) = ''`
  if (field === 'email') return sql`coalesce(p.email, '') = ''`
  if (field === 'phone') return sql`p.phone is null`
  return sql`coalesce(trim(p.attributes ->> ${field.slice('attributes.'.length)}), '') = ''`
}

export interface WhatsAppAudience {
  /** Those of the audience WhatsApp can reach and nobody excludes, each number or scoped id once, and how many would get it. */
  people: number
  recipients: number
  excluded: Exclusion[]
  /** A contact of those who would get it. */
  exampleId: string | null
  /** In words: "on these lists". */
  where: string
  /** Of those it goes to: numbers of the United States and Canada, and scoped ids of the former. */
  american: number
  /** How many of those it goes to have nothing in each of the fields. */
  empty: number[]
}

const OBSTACLES: Record<string, Exclusion['reason']> = {
  sample: 'sample',
  no_phone: 'no_phone',
  excluded: 'excluded',
  pending: 'pending',
  left_list: 'unsubscribed',
  unsubscribe: 'opted_out',
  complaint: 'opted_out',
  manual: 'suppressed',
  import: 'suppressed',
  no_whatsapp: 'unreachable',
  no_consent: 'no_consent',
  other_purpose: 'other_purpose',
  needs_number: 'needs_number',
}

/** Counts who of an audience would get a template of a category, why others do not, and what they lack. */
export async function countWhatsAppAudience(
  db: Db,
  audience: Audience,
  fields: string[],
  category?: string,
): Promise<WhatsAppAudience> {
  const empty = fields.map((field) => sql`count(*) filter (where p.obstacle is null and ${isEmpty(field)})`)
  const { rows } = await sql<{
    recipients: number
    exampleId: string | null
    american: number
    empty: string[]
    obstacles: Record<string, number>
  }>`
    with ${findPeople(audience, category)}
    select count(*) filter (where p.obstacle is null)::int as recipients,
      min(p.id) filter (where p.obstacle is null) as example_id,
      count(*) filter (where p.obstacle is null and (p.phone like '+1%' or p.phone is null and p.bsuid like 'US.%'))::int as american,
      array[${empty.length > 0 ? sql.join(empty) : sql``}]::bigint[] as empty,
      (select coalesce(jsonb_object_agg(obstacle, n), '{}') from (
        select obstacle, count(*)::int as n from (
          select obstacle from p where obstacle is not null
          union all select obstacle from found where obstacle in ('sample', 'no_phone')) o group by 1) o) as obstacles
    from p`.execute(db)
  const { recipients = 0, exampleId = null, american = 0, empty: lacking = [], obstacles = {} } = rows[0] ?? {}
  const left = new Map<Exclusion['reason'], number>()
  for (const [obstacle, count] of Object.entries(obstacles)) {
    const reason = OBSTACLES[obstacle] ?? 'suppressed'
    left.set(reason, (left.get(reason) ?? 0) + count)
  }
  const excluded = [...left].map(([reason, people]) => ({ reason, people })).toSorted((a, b) => b.people - a.people)
  const reached = excluded.filter(({ reason }) => !['sample', 'no_phone', 'excluded'].includes(reason))
  return {
    people: reached.reduce((sum, { people }) => sum + people, recipients),
    ...{ recipients, excluded, exampleId, american, where: audience.where },
    empty: lacking.map(Number),
  }
}
