import { type RawBuilder, sql } from 'kysely'
import type { AudienceCount, Exclusion } from '#contracts/campaigns/check.ts'
import type { Recipient } from '#server/engine/index.ts'
import {
  contactStanding,
  emailKeys,
  hasOrigins,
  isAmong,
  isDomainSuppressed,
  isSampleContact,
  isWithin,
  ownFirst,
} from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import { type Audience, readAudience } from '../../audience/audience.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import { NO_BASIS, withoutBasis } from '../../origins.ts'
import { atLimit, FREQUENCY_CAP, isLimited, isPaused, PAUSED } from './frequency.ts'

/**
 * Why the contact `c` of an audience is not written to, in a word of a message's `reason`; null: they are. The user's own wish
 * comes first, so that what else is told is of those they meant. `hasCollected`: the workspace has contacts that were found on web pages.
 * `isCounted`: who had their emails of the week is told too; when messages leave it is counted again, as it is then.
 */
function findObstacle(
  { workspaceId, excluded, within }: Audience,
  hasCollected: boolean,
  isCounted = false,
): RawBuilder<string | null> {
  const email = sql.ref('c.email_key')
  // Of a range, so that a workspace with many suppressed addresses does not read all of them for each.
  const inRange = within
    ? sql`and ${isAmong(sql.ref('address_key'), sql`select email_key from contacts where workspace_id = ${workspaceId} and ${isWithin(sql.ref('id'), within)}`)}`
    : sql``
  const suppressed = sql`select address_key from suppressions where workspace_id = ${workspaceId} and channel = 'email' ${inRange}`
  return sql<string | null>`coalesce(
    ${excluded ? sql`case when ${excluded} then 'excluded' end` : sql`null`},
    case when ${isAmong(email, suppressed)} or ${isDomainSuppressed(workspaceId, email)} then (select s.reason from suppressions s
      where s.workspace_id = ${workspaceId} and s.channel = 'email' and s.address_key in (${emailKeys(email)}) order by ${ownFirst} limit 1) end,
    case when c.by_segment then ${contactStanding(workspaceId, within)} end,
    case when ${isPaused} then ${PAUSED} end
    ${isCounted ? sql`, case when ${isAmong(sql.ref('c.id'), atLimit(workspaceId))} then ${FREQUENCY_CAP} end` : sql``}
    ${hasCollected ? sql`, case when ${withoutBasis(workspaceId, within)} then ${NO_BASIS} end` : sql``})`
}

/**
 * Everybody of an audience with an address, each once; those skipped are written down with the reason. Sample contacts are
 * nobody's recipients.
 */
export async function writeEmailAudience(db: Db, audience: Audience, campaignId: string): Promise<void> {
  const obstacle = findObstacle(audience, await hasOrigins(db, audience.workspaceId))
  // `offset 0`: the obstacle is found once for each row, and not wherever it is named.
  await sql`
    insert into messages (workspace_id, campaign_id, contact_id, address, by_segment, state, reason, due_at)
    select p.workspace_id, ${campaignId}, p.id, p.email, p.by_segment, case when p.obstacle is null then 'queued' else 'suppressed' end,
      coalesce(p.obstacle, ''), case when p.obstacle is null then now() end
    from (select c.workspace_id, c.id, c.email, c.by_segment, ${obstacle} as obstacle
      from ${audience.found} c where c.email is not null and not ${isSampleContact} offset 0) p
    order by p.id
    on conflict (workspace_id, campaign_id, contact_id) do nothing`.execute(db)
}

const REASONS: Record<string, Exclusion['reason']> = {
  excluded: 'excluded',
  sample: 'sample',
  no_email: 'no_email',
  unsubscribe: 'unsubscribed',
  left_list: 'unsubscribed',
  pending: 'pending',
  hard_bounce: 'bounced',
  soft_bounce: 'bounced',
  [PAUSED]: 'paused',
  [FREQUENCY_CAP]: 'frequency_cap',
  [NO_BASIS]: 'no_lawful_basis',
}

/** How many an audience has, and how many of them get no email and why. */
export interface EmailCount {
  recipients: number
  excluded: Exclusion[]
}

/** Counts an audience of emails. */
export async function countEmails(db: Db, audience: Audience): Promise<EmailCount> {
  const { workspaceId } = audience
  const isCounted = await isLimited(db, workspaceId)
  const obstacle = findObstacle(audience, await hasOrigins(db, workspaceId), isCounted)
  const { rows } = await sql<{ obstacle: string | null; people: number }>`
    select p.obstacle, count(*)::int as people from (
      select case when ${isSampleContact} then 'sample' when c.email is null then 'no_email' else ${obstacle} end as obstacle
      from ${audience.found} c offset 0) p
    group by 1`.execute(db)
  const left = new Map<Exclusion['reason'], number>()
  for (const { obstacle, people } of rows) {
    if (obstacle === null) continue
    const reason = REASONS[obstacle] ?? 'suppressed'
    left.set(reason, (left.get(reason) ?? 0) + people)
  }
  return {
    recipients: rows.find((row) => row.obstacle === null)?.people ?? 0,
    excluded: [...left].map(([reason, people]) => ({ reason, people })).toSorted((a, b) => b.people - a.people),
  }
}

/** Who a campaign of emails would go to. Throws Refusal 429. */
export async function countEmailAudience({ db }: Pick<Services, 'db'>, campaign: CampaignRow): Promise<AudienceCount> {
  const { found, problems } = await readAudience(db, campaign, countEmails)
  return { recipients: found?.recipients ?? 0, excluded: found?.excluded ?? [], exampleId: null, problems }
}

/** Whether the contact `c` has nothing to say for a merge field, as templates read it; undefined: it cannot be told. */
function isEmpty(path: string): RawBuilder<boolean> | undefined {
  const attribute = (name: string) => sql<boolean>`coalesce(p.attributes ->> ${name}, '') = ''`
  if (path === 'name') return sql`btrim(p.name) = ''`
  if (path === 'first_name') return sql`(btrim(p.name) = '' and ${attribute(path)})`
  if (path === 'last_name') return sql`(btrim(p.name) !~ '\\s' and ${attribute(path)})`
  if (path === 'phone') return sql`p.phone is null`
  const [, name] = /^attributes\.([^.]+)$/.exec(path) ?? []
  return name === undefined ? undefined : attribute(name)
}

/** Merge fields that are looked at: each is a look at everybody. */
const MAX_FIELDS = 20

/** For how many recipients of an audience each of these merge fields is empty; those that are for nobody are not in it. */
export async function countEmptyFields(
  db: Db,
  audience: Audience,
  paths: readonly string[],
): Promise<Map<string, number>> {
  const fields = paths.flatMap((path) => {
    const condition = isEmpty(path)
    return condition ? [{ path, condition }] : []
  })
  if (fields.length === 0) return new Map()
  const counts = fields
    .slice(0, MAX_FIELDS)
    .map(({ path, condition }) => sql`${path}::text, count(*) filter (where ${condition})`)
  const obstacle = findObstacle(audience, await hasOrigins(db, audience.workspaceId))
  const { rows } = await sql<{ counts: Record<string, number> }>`
    select json_build_object(${sql.join(counts)}) as counts from (
      select c.name, c.phone, c.attributes, ${obstacle} as obstacle
      from ${audience.found} c where c.email is not null and not ${isSampleContact} offset 0) p
    where p.obstacle is null`.execute(db)
  return new Map(Object.entries(rows[0]?.counts ?? {}).filter(([, people]) => people > 0))
}

/** What the check of emails knows of an audience. */
export interface EmailAudience extends EmailCount {
  /** Some of its people, to try the content with. */
  sample: Recipient[]
  /** The names of custom fields they have. */
  attributes: string[]
  /** In words: "on these lists". */
  where: string
}

/** Counts an audience of emails, and reads some of its people. */
export async function readEmailAudience(db: Db, audience: Audience): Promise<EmailAudience> {
  const { where } = audience
  // In a transaction, which bounds those with segments in time, one statement follows the other.
  if (audience.hasSegments) return { ...(await countEmails(db, audience)), ...(await readSample(db, audience)), where }
  const [count, sample] = await Promise.all([countEmails(db, audience), readSample(db, audience)])
  return { ...count, ...sample, where }
}

const MEMBERS = 20_000
const WITH_ATTRIBUTES = 5_000

/** The first four of those an audience has, and the eight with the longest attributes among 20,000; attributes of 5,000. */
async function readSample(
  db: Db,
  { found, excluded }: Audience,
): Promise<Pick<EmailAudience, 'sample' | 'attributes'>> {
  const { rows } = await sql<Recipient & { names: string[] }>`
    with person as materialized (
      select c.id, c.email, c.name, c.phone, c.attributes, octet_length(c.attributes::text) as length
      from ${found} c where c.email is not null ${excluded ? sql`and not ${excluded}` : sql``} limit ${MEMBERS}
    ), names as materialized (
      select array_agg(distinct name) as names
      from (select attributes from person limit ${WITH_ATTRIBUTES}) p, jsonb_object_keys(p.attributes) as name
    )
    select id, email, name, phone, attributes, coalesce(names, '{}') as names from (
      (select * from person order by length desc, id limit 8) union (select * from person order by id limit 4)
    ) chosen, names
    order by length desc, id`.execute(db)
  return { sample: rows.map(({ names: _, ...person }) => person), attributes: rows[0]?.names ?? [] }
}
